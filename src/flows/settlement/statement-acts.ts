import type { Database } from '#base/db/db.ts'
import { findStatement, readStatementData } from '#modules/settlement/store.ts'
import { closeStatement, sendStatement } from './close-statement.ts'
import { draftStatement, type StatementCommand } from './draft-statement.ts'
import { readStatements } from './list-statements.ts'
import { type BillingCommand, setBilling } from './set-billing.ts'

// What the console does with statements.
export function createStatementActs(database: Database) {
  return {
    list: (partnerId: number | null) => readStatements(database, partnerId),
    find: (number: string) => findStatement(database.db, number),
    readData: (id: string) => readStatementData(database.db, id),
    draft: (command: StatementCommand) => draftStatement(database, command),
    close: (command: Parameters<typeof closeStatement>[1]) => closeStatement(database, command),
    send: (command: Parameters<typeof sendStatement>[1]) => sendStatement(database, command),
    setBilling: (command: BillingCommand) => setBilling(database, command),
  }
}

export type StatementActs = ReturnType<typeof createStatementActs>
