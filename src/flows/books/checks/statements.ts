// Partners' statements: frozen data against their hash, the closed days they were made of, and the ledger. Each returns the
// statements that break it.
const DATA = `(select s.*, s.data::jsonb as j from partner_statement s)`

// What closed days say about a partner in a period.
const sumOfLines = (account: string, kinds: string, side: string) => `
  (select coalesce(sum(${side}), 0) from closed_day_line l
    where l.account = '${account}' and l.partner_id = s.partner_id and l.kind in (${kinds})
      and l.day >= s.period_from and l.day < s.period_to)`

const balanceBefore = (day: string) => `
  (select coalesce((select closing from closed_day_balance b
    where b.account = 'partner_receivable' and b.asset = 'KRW_POINT' and b.partner_id = s.partner_id and b.day < ${day}
    order by b.day desc limit 1), 0))`

const won = (path: string) => `(s.j #>> '{${path}}')::bigint`

export const STATEMENT_CHECKS = {
  statement_has_its_hash: `
    select number as id
      from (select s.*, lag(hash) over w as before, lag(period_to) over w as end_before
              from partner_statement s window w as (partition by partner_id order by period_from)) s
     where previous_hash is distinct from before or end_before <> period_from
        or hash <> sha256(coalesce(previous_hash, ''::bytea) || convert_to(data, 'UTF8'))`,
  statement_shows_its_row: `
    select number as id from ${DATA} s join partner o on o.id = s.partner_id
     where s.j ->> 'number' <> number or s.j #>> '{partner,code}' <> o.code or s.j ->> 'from' <> period_from::text
        or s.j ->> 'to' <> period_to::text or ${won('cards,due')} <> due or ${won('commission,due')} <> due_commission
        or ${won('due')} <> due + due_commission`,
  statement_is_of_its_closed_days: `
    select number as id from ${DATA} s
      left join closed_day d on d.day = s.period_to - 1
     where d.day is null or s.j #>> '{books,hash}' <> encode(d.hash, 'hex') or s.j #>> '{books,throughId}' <> d.through_id::text
        or -${won('cards,opening')} <> ${balanceBefore('s.period_from')} or -${won('cards,closing')} <> ${balanceBefore('s.period_to')}
        or ${won('cards,charged')} <> ${sumOfLines('partner_receivable', `'issue', 'void'`, 'debit - credit')}
        or ${won('cards,paid')} <> ${sumOfLines('partner_receivable', `'partner_payment', 'partner_payment_back'`, 'credit - debit')}
        or ${won('cards,issued,amount')} + (select coalesce(sum((c ->> 'amount')::bigint), 0)
             from jsonb_array_elements(s.j #> '{cards,corrections}') c where c ->> 'figure' = 'issued')
           <> ${sumOfLines('outstanding_cards', `'issue'`, 'credit')}
        or ${won('cards,used,amount')} + (select coalesce(sum((c ->> 'amount')::bigint), 0)
             from jsonb_array_elements(s.j #> '{cards,corrections}') c where c ->> 'figure' = 'used')
           <> ${sumOfLines('outstanding_cards', `'redeem'`, 'debit')}`,
  // Usage is what the statement says, and what came later: voids of its cards that it does not cover.
  statement_agrees_with_its_cards: `
    select number as id from ${DATA} s join closed_day d on d.day = s.period_to - 1
     where ${won('cards,voided,amount')} <> (
       select coalesce(sum(g.amount), 0) from gift_card g join transfer t on t.card_id = g.id and t.kind = 'void'
        where g.partner_id = s.partner_id and g.issued_on >= s.period_from and g.issued_on < s.period_to
          and t.id <= d.through_id and seoul_date(t.at) <= d.day)`,
  // The last of a partner has no next one whose hash would miss it.
  closed_statement_is_there: `
    select e.details ->> 'number' as id from audit_entry e
      left join partner_statement s on s.number = e.details ->> 'number' and encode(s.hash, 'hex') = e.details ->> 'hash'
     where e.action = 'statement.close' and s.id is null`,
  commission_agrees_with_its_transfers: `
    select number as id from ${DATA} s
      left join transfer t on t.group_id = s.id and t.kind in ('commission', 'commission_back')
      left join account c on c.id in (t.debit_account, t.credit_account) and c.kind in ('commissions', 'commission_vat')
     group by s.id, s.number, s.j
    having coalesce(sum(case t.kind when 'commission' then t.amount else -t.amount end) filter (where c.kind = 'commissions'), 0)
             <> ${won('commission,supply')}
        or coalesce(sum(case t.kind when 'commission' then t.amount else -t.amount end) filter (where c.kind = 'commission_vat'), 0)
             <> ${won('commission,vat')}`,
  commission_has_its_statement: `
    select t.id::text as id from transfer t left join partner_statement s on s.id = t.group_id
     where t.kind in ('commission', 'commission_back') and s.id is null`,
  // As it stands, by the request that names its partner. Rates of before rates_agreed_since needed one person.
  rate_took_two_people: `
    select o.code || ' ' || c.effective_from as id from commission_rate c
      join partner o on o.id = c.partner_id
     cross join installation i
      left join change_request r on r.id = c.request_id and r.kind = 'commission_rate' and r.status = 'executed'
                                and r.subject = o.code and r.decided_at between c.set_at - i.clock_offset and c.set_at + i.clock_offset
                                and r.payload::jsonb = jsonb_build_object('effectiveFrom', c.effective_from, 'bps', c.bps, 'base', c.base)
     where r.id is null and (c.request_id is not null or c.set_at > coalesce(i.rates_agreed_since, '-infinity'))`,
  agreed_rate_is_there: `
    select r.id::text as id from change_request r left join commission_rate c on c.request_id = r.id
     where r.kind = 'commission_rate' and r.status = 'executed' and c.request_id is null`,
  statement_is_not_paid_twice: `
    select s.number as id from partner_statement s
      join partner_payment_part x on x.statement_id = s.id
      join partner_payment p on p.id = x.payment_id and p.reversed_at is null
     group by s.id
    having sum(x.amount) > s.due + s.due_commission or sum(x.commission) > s.due_commission
        or sum(x.amount - x.commission) > s.due or bool_or(p.partner_id <> s.partner_id)`,
  payment_pays_what_it_has: `
    select p.id::text as id from partner_payment p join partner_payment_part x on x.payment_id = p.id
      join change_request r on r.id = p.id
      join partner_statement s on s.id = x.statement_id
     group by p.id, r.payload
    having sum(x.amount) > p.amount
        or not coalesce(bool_and(s.number = any (string_to_array(r.payload::jsonb ->> 'statements', ','))), false)`,
} as const
