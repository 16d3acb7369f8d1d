import type { Shared } from '#app/endpoints/shared.ts'
import { requestPayment, requestReversal } from '#flows/partners/book-payment.ts'
import { matchBankFile } from '#flows/settlement/match-bank-file.ts'
import { createStatementActs } from '#flows/settlement/statement-acts.ts'

// Partners' statements, and what they paid.
export function settlementDeps({ database }: Shared) {
  return {
    statements: createStatementActs(database),
    matchBankFile: (bytes: Uint8Array) => matchBankFile(database, bytes),
    requestPayment: (command: Parameters<typeof requestPayment>[1]) => requestPayment(database, command),
    requestReversal: (command: Parameters<typeof requestReversal>[1]) => requestReversal(database, command),
  }
}
