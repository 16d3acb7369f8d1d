import type { Database, Tx } from '#base/db/db.ts'

// What stands against a command: a stable code, and the facts that its wording needs. The command line and the console
// put it into words; a flow never does.
export type Refusal<Reason extends string, Facts = unknown> = Reason extends string
  ? { kind: 'refused'; reason: Reason } & Facts // one type for each reason: a switch can tell them apart
  : never

export type NoPartner = Refusal<'partner_not_found', { partner: string }>

export function refused<Reason extends string>(reason: Reason): Refusal<Reason>
export function refused<Reason extends string, Facts>(reason: Reason, facts: Facts): Refusal<Reason, Facts>
export function refused(reason: string, facts?: object) {
  return { kind: 'refused', reason, ...facts }
}

class RolledBack extends Error {
  readonly refusal: unknown
  constructor(refusal: unknown) {
    super('rolled back')
    this.refusal = refusal
  }
}

// One transaction that ends with its outcome: committed, or rolled back by a refusal. So a refusal leaves nothing behind,
// also where something was written before it was known.
export async function withOutcome<Outcome extends { kind: string }>(
  database: Pick<Database, 'withTransaction'>,
  work: (tx: Tx) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await database.withTransaction(async (tx) => {
      const outcome = await work(tx)
      if (outcome.kind === 'refused') throw new RolledBack(outcome)
      return outcome
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.refusal as Outcome
    throw error
  }
}
