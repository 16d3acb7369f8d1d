import type pg from 'pg'
import { PARTNER } from '../client.ts'

// Invariants of the ledger, worked out here anew rather than by the queries of `verify`.
const CHECKS: Record<string, string> = {
  'I3 transfers do not balance': `
    select asset || ': ' || sum(balance) as what from account group by asset having sum(balance) <> 0`,
  'I4 below zero': `
    select holder_id || ' ' || asset || ': ' || balance as what from account where kind = 'holding' and balance < 0`,
  'I6 balance is not the sum of its transfers': `
    select a.id || ': ' || a.balance || ', not ' || coalesce(moved.sum, 0) as what
      from account a left join (
        select account, sum(amount) from (
          select credit_account as account, amount from transfer
          union all select debit_account, -amount from transfer) sides group by account) moved on moved.account = a.id
     where a.balance <> coalesce(moved.sum, 0)`,
  'I9 a registration without its one audit entry': `
    select u.id || ': ' || count(e.subject) as what
      from partner_user u join partner p on p.id = u.partner_id and p.code = '${PARTNER}'
      left join audit_entry e on e.subject = u.id::text and e.action = 'user.signup'
     group by u.id having count(e.subject) <> 1`,
}

export async function checkBooks(sql: pg.Client): Promise<string[]> {
  const violations: string[] = []
  for (const [name, query] of Object.entries(CHECKS)) {
    const { rows } = await sql.query<{ what: string }>(query)
    violations.push(...rows.map(({ what }) => `${name}: ${what}`))
  }
  return violations
}
