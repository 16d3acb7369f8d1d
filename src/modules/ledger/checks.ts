// Invariants as queries: each returns the rows that break it, so an empty answer is a proof.
export const LEDGER_CHECKS = {
  balance_is_sum_of_transfers: `
    select a.id::text as id from account a
      left join (select account, sum(net) as net
                   from (select credit_account as account, amount as net from transfer
                         union all select debit_account, -amount from transfer) legs
                  group by account) moved on moved.account = a.id
     where a.balance <> coalesce(moved.net, 0)`,
  books_balance_per_asset: `
    select asset as id from account group by asset having sum(balance) <> 0`,
  no_balance_below_its_floor: `
    select id::text as id from account where balance < floor`,
  transfers_stay_in_one_asset: `
    select t.id::text as id from transfer t
      left join account d on d.id = t.debit_account
      left join account c on c.id = t.credit_account
     where t.asset is distinct from d.asset or t.asset is distinct from c.asset`,
} as const
