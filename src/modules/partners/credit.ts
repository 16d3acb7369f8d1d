import type { Reader } from '#base/db/db.ts'

export interface CreditUse {
  partner: string
  owed: bigint
  creditLimit: bigint
}

// By the index of partners' accounts. A partner without credit buys on its deposit alone.
const USE = {
  name: 'read_credit_use',
  text: `select p.code as partner, -a.balance as owed, -a.floor as "creditLimit"
           from partner p
           join lateral (select balance, floor from account
                          where partner_id = p.id and kind = 'partner_receivable' offset 0) a on true
          where p.status = 'active' and a.floor < 0`,
}

export function readCreditUse(database: Reader): Promise<CreditUse[]> {
  return database.read<CreditUse & Record<string, unknown>>(USE, [])
}

// Of the limit, in whole percent, rounded down: 95 is at least 95.
export function percentUsed({ owed, creditLimit }: CreditUse): number {
  return owed <= 0n ? 0 : Number((owed * 100n) / creditLimit)
}

export const CREDIT_ALERTS = [80, 95] as const
