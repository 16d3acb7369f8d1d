// What partners paid, and what was reversed: each payment is a request that two people agreed on, and moved once what that
// request says. Each returns the rows that break it.
const AGREED = (request: string, kind: string, payment: string, at: string) => `
  ${request}.kind = '${kind}' and ${request}.status = 'executed'
  and (${request}.checker <> ${request}.maker or ${request}.single_person)
  and ${request}.payload::jsonb ->> 'won' = ${payment}.amount::text
  and ${request}.payload::jsonb ->> 'reference' = ${payment}.reference
  and ${request}.decided_at between ${at} - i.clock_offset and ${at} + i.clock_offset`

export const PAYMENT_CHECKS = {
  payment_took_two_people: `
    select p.id::text as id from partner_payment p cross join installation i
      join partner o on o.id = p.partner_id
      left join change_request r on r.id = p.id and r.subject = o.code and ${AGREED('r', 'payment', 'p', 'p.at')}
      left join change_request b on b.id = p.reversal_id and b.subject = o.code
                                and ${AGREED('b', 'payment_reversal', 'p', 'p.reversed_at')}
     where r.id is null or p.reversed_at is not null and b.id is null or p.reversed_at is null and p.reversal_id is not null`,
  // What two people agreed on is there, and was neither removed nor turned back.
  agreed_payment_is_there: `
    select r.id::text as id from change_request r
      left join partner_payment p on p.id = r.id
      left join partner_payment b on b.reversal_id = r.id
     where r.status = 'executed' and (r.kind = 'payment' and p.id is null or r.kind = 'payment_reversal' and b.id is null)`,
  payment_agrees_with_its_transfers: `
    select p.id::text as id from partner_payment p
      cross join lateral (select coalesce(sum(x.commission), 0) as commission from partner_payment_part x where x.payment_id = p.id) x
      left join transfer t on t.group_id = p.id
                          and t.kind in ('partner_payment', 'partner_payment_back', 'commission_payment', 'commission_payment_back')
      left join account d on d.id = t.debit_account
      left join account c on c.id = t.credit_account
     group by p.id, x.commission
    having count(t.id) <> ((p.amount > x.commission)::int + (x.commission > 0)::int) * (1 + (p.reversed_at is not null)::int)
        or coalesce(sum(t.amount) filter (where t.kind = 'partner_payment' and c.partner_id = p.partner_id), 0)
             <> p.amount - x.commission
        or coalesce(sum(t.amount) filter (where t.kind = 'commission_payment'), 0) <> x.commission
        or coalesce(sum(t.amount) filter (where t.kind = 'partner_payment_back' and d.partner_id = p.partner_id), 0)
             <> case when p.reversed_at is null then 0 else p.amount - x.commission end
        or coalesce(sum(t.amount) filter (where t.kind = 'commission_payment_back'), 0)
             <> case when p.reversed_at is null then 0 else x.commission end`,
  payment_transfer_has_its_payment: `
    select t.id::text as id from transfer t left join partner_payment p on p.id = t.group_id
     where t.kind in ('partner_payment', 'partner_payment_back', 'commission_payment', 'commission_payment_back') and p.id is null`,
  settlement_is_what_was_paid: `
    select 'partner_settlement' as id
     where (select coalesce(sum(balance), 0) from account where kind = 'partner_settlement')
        <> (select -coalesce(sum(amount), 0) from partner_payment where reversed_at is null)`,
} as const
