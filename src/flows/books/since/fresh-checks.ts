import { CARD_CHECKS } from '#flows/books/checks/cards.ts'
import { HOLDING_CHECKS } from '#flows/books/checks/holdings.ts'
import { TRADE_CHECKS } from '#flows/books/checks/trades.ts'
import { TRANSFER_CHECKS } from '#flows/books/checks/transfers.ts'
import { LEDGER_CHECKS } from '#modules/ledger/checks.ts'

// Checks that look at each transfer, card or order by itself. They are the same queries as in a whole run.
const BY_ROW = {
  transfers_stay_in_one_asset: LEDGER_CHECKS.transfers_stay_in_one_asset,
  ...TRANSFER_CHECKS,
  card_has_one_issue_of_its_amount: CARD_CHECKS.card_has_one_issue_of_its_amount,
  issue_has_its_card: CARD_CHECKS.issue_has_its_card,
  card_has_one_transfer_of_a_kind: CARD_CHECKS.card_has_one_transfer_of_a_kind,
  voided_card_has_one_void: CARD_CHECKS.voided_card_has_one_void,
  voided_card_was_voided_by_an_act: CARD_CHECKS.voided_card_was_voided_by_an_act,
  used_card_left_its_key: CARD_CHECKS.used_card_left_its_key,
  used_card_has_one_redemption: CARD_CHECKS.used_card_has_one_redemption,
  expired_card_has_one_expiry: CARD_CHECKS.expired_card_has_one_expiry,
  card_days_follow_from_its_moments: CARD_CHECKS.card_days_follow_from_its_moments,
  card_ends_when_its_partner_said: CARD_CHECKS.card_ends_when_its_partner_said,
  grants_are_of_a_sandbox: HOLDING_CHECKS.grants_are_of_a_sandbox,
  order_agrees_with_its_transfers: TRADE_CHECKS.order_agrees_with_its_transfers,
  order_is_what_was_quoted: TRADE_CHECKS.order_is_what_was_quoted,
  order_adds_up: TRADE_CHECKS.order_adds_up,
  order_names_its_price: TRADE_CHECKS.order_names_its_price,
  order_was_on_terms_in_force: TRADE_CHECKS.order_was_on_terms_in_force,
} as const

// In place of the tables: transfers after the checkpoint, with all others of the cards that they moved; those cards; and the orders
// that were placed. A query in a WITH hides the table of its name.
const shadowed = (after: bigint, query: string) => `
  select id from (
    with fresh as materialized (select id, group_id, card_id, kind from transfer where id > ${after}),
    touched as materialized (select distinct card_id as id from fresh where card_id is not null),
    transfer as materialized (
      select t.* from transfer t where t.id > ${after}
      union all
      select t.* from touched c cross join lateral (
        select * from transfer o where o.card_id = c.id and o.id <= ${after} offset 0) t),
    gift_card as materialized (
      select t.* from touched c cross join lateral (select * from gift_card g where g.id = c.id offset 0) t),
    trade_order as materialized (
      select t.* from (select distinct group_id as id from fresh where kind in ('buy', 'sell')) f
       cross join lateral (select * from trade_order o where o.id = f.id offset 0) t)
    select * from (${query}) judged) broken`

// What each account should hold: what it held at the checkpoint, and what moved since.
const balances = (after: bigint, accounts: Readonly<Record<string, string>>) => `
  select a.id::text as id from account a
    left join jsonb_each_text('${JSON.stringify(accounts)}') b on b.key = a.id::text
    left join (select account, sum(net) as net
                 from (select credit_account as account, amount as net from transfer where id > ${after}
                       union all select debit_account, -amount from transfer where id > ${after}) legs
                group by account) m on m.account = a.id
   where a.kind <> 'holding' and a.balance <> coalesce(b.value::bigint, 0) + coalesce(m.net, 0)`

// Members: those whom something moved for, each with the whole of their history; and all together.
const holdings = (after: bigint, sums: Readonly<Record<string, string>>) => `
  with moved as materialized (
    select account, sum(net) as net
      from (select credit_account as account, amount as net from transfer where id > ${after}
            union all select debit_account, -amount from transfer where id > ${after}) legs
     group by account)
  select a.id::text as id from moved m join account a on a.id = m.account
   cross join lateral (
     select coalesce(sum(amount), 0) as sum from transfer t where t.credit_account = a.id
        and t.kind in ('redeem', 'grant', 'buy', 'sell', 'withdraw_back', 'join', 'adjust_up', 'refund')) c
   cross join lateral (
     select coalesce(sum(amount), 0) as sum from transfer t where t.debit_account = a.id
        and t.kind in ('buy', 'sell', 'withdraw', 'join', 'waive', 'adjust_down')) d
   where a.kind = 'holding' and a.balance <> c.sum - d.sum
  union all
  select 'all ' || s.asset as id
    from (select a.asset, sum(a.balance) - coalesce(sum(m.net), 0) as sum
            from account a left join moved m on m.account = a.id where a.kind = 'holding' group by a.asset) s
    left join jsonb_each_text('${JSON.stringify(sums)}') b on b.key = s.asset
   where s.sum <> coalesce(b.value::bigint, 0)`

export function freshChecks(
  after: bigint,
  { accounts, holdings: sums }: Record<'accounts' | 'holdings', Readonly<Record<string, string>>>,
): Record<string, string> {
  return {
    ...Object.fromEntries(Object.entries(BY_ROW).map(([check, query]) => [check, shadowed(after, query)])),
    balance_follows_from_the_checkpoint: balances(after, accounts),
    holding_follows_from_its_transfers: holdings(after, sums),
  }
}
