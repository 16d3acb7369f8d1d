import { sql } from 'kysely'
import type { Database } from '#base/db.ts'
import { TRADE_CHECKS } from '#flows/trade-checks.ts'
import { LEDGER_CHECKS } from '#modules/ledger/checks.ts'
import { MEMBER_CHECKS } from '#modules/members/checks.ts'

// Invariants that span modules. Like the ledger's own, each returns the rows that break it.
const BOOK_CHECKS = {
  card_has_one_issue_of_its_amount: `
    select c.id::text as id from gift_card c
      left join partner p on p.id = c.partner_id
      left join account r on r.partner_id = c.partner_id and r.kind = 'partner_receivable'
      left join transfer t on t.card_id = c.id and t.kind = 'issue' and t.amount = c.amount
                          and t.group_id = c.tx_id and t.debit_account = r.id
      left join account o on o.id = t.credit_account and o.kind = 'outstanding_cards'
     where t.id is null or p.id is null or o.id is null`,
  issue_has_its_card: `
    select t.id::text as id from transfer t left join gift_card c on c.id = t.card_id
     where t.kind in ('issue', 'void', 'expire', 'redeem') and c.id is null`,
  voided_card_has_one_void: `
    select c.id::text as id from gift_card c
      left join transfer t on t.card_id = c.id and t.kind = 'void'
      left join account r on r.id = t.credit_account and r.kind = 'partner_receivable'
      left join account o on o.id = t.debit_account and o.kind = 'outstanding_cards'
     where (c.status = 'voided') <> (t.id is not null)
        or t.id is not null and (t.amount <> c.amount or r.partner_id is distinct from c.partner_id
                                 or o.id is null)`,
  used_card_has_one_redemption: `
    select c.id::text as id from gift_card c
      left join transfer t on t.card_id = c.id and t.kind = 'redeem'
      left join account o on o.id = t.debit_account and o.kind = 'outstanding_cards'
      left join account h on h.id = t.credit_account and h.kind = 'holding'
     where (c.status = 'used') <> (t.id is not null)
        or t.id is not null and (t.amount <> c.amount or o.id is null or h.holder_id is distinct from c.used_by)`,
  expired_card_has_one_expiry: `
    select c.id::text as id from gift_card c
      left join transfer t on t.card_id = c.id and t.kind = 'expire'
      left join account o on o.id = t.debit_account and o.kind = 'outstanding_cards'
      left join account l on l.id = t.credit_account and l.kind = 'expired_cards'
     where (c.status = 'expired') <> (t.id is not null)
        or t.id is not null and (t.amount <> c.amount or o.id is null or l.id is null)`,
  outstanding_is_sum_of_open_cards: `
    select 'outstanding' as id
     where (select coalesce(sum(balance), 0) from account where kind = 'outstanding_cards')
        <> (select coalesce(sum(amount), 0) from gift_card where status = 'issued')`,
  usage_is_recomputed_from_cards: `
    with recomputed as (
      select partner_id, day, sum(issued) as issued, sum(used) as used, sum(used_in_issued) as used_in_issued
        from (select partner_id, issued_on as day, amount as issued, 0 as used,
                     case when status = 'used' then amount else 0 end as used_in_issued
                from gift_card where status <> 'voided'
              union all
              select partner_id, seoul_date(used_at), 0, amount, 0 from gift_card where status = 'used') facts
       group by partner_id, day),
    kept as (
      select partner_id, day, sum(issued) as issued, sum(used) as used, sum(used_in_issued) as used_in_issued
        from usage_day group by partner_id, day)
    select coalesce(k.partner_id, r.partner_id) || ' ' || coalesce(k.day, r.day) as id
      from kept k full join recomputed r using (partner_id, day)
     where coalesce(k.issued, 0) <> coalesce(r.issued, 0) or coalesce(k.used, 0) <> coalesce(r.used, 0)
        or coalesce(k.used_in_issued, 0) <> coalesce(r.used_in_issued, 0)`,
  card_has_a_message_on_each_channel: `
    select c.id::text as id from gift_card c
     where 2 <> (select count(*) from delivery d where d.card_id = c.id and d.purpose = 'gift')`,
  message_has_its_card: `
    select d.id::text as id from delivery d left join gift_card c on c.id = d.card_id where c.id is null`,
  message_agrees_with_its_history: `
    select d.id::text as id from delivery d
      left join lateral (select status from delivery_event e where e.delivery_id = d.id order by e.id desc limit 1) last
             on true
     where d.status <> coalesce(last.status, 'queued')`,
  no_message_is_forgotten: `
    select id::text as id from delivery
     where settled_at is null and greatest(due_at, claimed_until) < now() - interval '1 day'`,
  kept_key_names_its_card: `
    select encode(k.key_hash, 'hex') as id from idempotency_key k
      left join gift_card c on c.id = k.card_id and c.tx_id = k.tx_id and c.partner_id = k.partner_id
     where c.id is null`,
  nothing_is_under_an_old_key: `
    select what || ' ' || id as id from installation i, lateral (
      select 'card' as what, id::text from gift_card
       where index_key <> i.index_key or sealed_under(recipient) <> i.encryption_key
          or sealed_under(pin) <> i.encryption_key
      union all select 'member', id::text from member where sealed_under(ci) <> i.encryption_key
      union all select 'member index', encode(hmac, 'hex') from member_ci where key_id <> i.index_key
      union all select 'partner user', id::text from partner_user
       where index_key <> i.index_key or sealed_under(details) <> i.encryption_key
      union all select 'account', id::text from member_account where sealed_under(details) <> i.encryption_key
      union all select 'verification', id::text from identity_verification
       where sealed_under(mdn) <> i.encryption_key or sealed_under(person) <> i.encryption_key
      union all select 'withdrawal', id::text from withdrawal where sealed_under(destination) <> i.encryption_key) old
     where i.rotating_since is null`,
  rotation_comes_to_an_end: `
    select 'rotation' as id from installation where rotating_since < now() - interval '1 day'`,
  grants_are_of_a_sandbox: `
    select t.id::text as id from transfer t, installation i where t.kind = 'grant' and i.mode <> 'sandbox'`,
  // A link that the member has decided on holds nothing any more: it became the member's.
  holding_has_its_holder: `
    select a.id::text as id from account a
      left join member m on m.id = a.holder_id
      left join partner_user u on u.id = a.holder_id
            and (not u.confirmed and u.status <> 'refused' or a.balance = 0 and a.cost = 0)
     where a.kind = 'holding' and m.id is null and u.id is null`,
} as const

const CHECKS: Record<string, string> = { ...LEDGER_CHECKS, ...BOOK_CHECKS, ...TRADE_CHECKS, ...MEMBER_CHECKS }
const SHOWN = 10 // enough to start looking; the count says how many there are

export interface CheckResult {
  check: string
  broken: number
  examples: string[]
}

// Every check sees the same snapshot, so a purchase that commits meanwhile cannot look like a mistake.
export function verifyBooks(database: Database): Promise<CheckResult[]> {
  return database.withSnapshot(async (tx) => {
    const results: CheckResult[] = []
    for (const [check, query] of Object.entries(CHECKS)) {
      const { rows } = await sql<{ id: string; total: bigint }>`
        select id, count(*) over () as total from (${sql.raw(query)}) broken limit ${SHOWN}`.execute(tx)
      results.push({ check, broken: Number(rows[0]?.total ?? 0n), examples: rows.map((row) => row.id) })
    }
    return results
  })
}
