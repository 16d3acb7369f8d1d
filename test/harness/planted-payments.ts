// Thefts by a partner's payment, as in planted-thefts.ts. The books hold one payment, booked and not reversed.
const SETTLEMENT = `(select id from account where kind = 'partner_settlement' and asset = 'KRW_POINT')`
const RECEIVABLE = `(select a.id from account a join partner_payment p on p.partner_id = a.partner_id limit 1)`

const post = (kind: string, group: string, debit: string, credit: string) =>
  `select post_transfers('${kind}', service_now(), array[${group}], array[null::uuid], array[${debit}], array[${credit}],
                         array[100::bigint])`

const behind = (table: string, mistake: string) =>
  `alter table ${table} disable trigger user; ${mistake}; alter table ${table} enable trigger user`

const ID = `'00000000-0000-7000-8000-000000000009'::uuid`
// A request as two people leave it, over the given sum.
const agreed = (kind: string, won: string) => `
  insert into change_request (id, kind, subject, payload, payload_hash, basis, maker, reason, created_at, expires_at, status,
                              checker, decided_at, executed_hash)
  select ${ID}, '${kind}', o.code, w.payload, sha256(convert_to(w.payload, 'UTF8')), '{}', 'cli:me', 'x', service_now(),
         service_now() + interval '1 day', 'executed', 'cli:you', service_now(), sha256(convert_to(w.payload, 'UTF8'))
    from partner_payment p join partner o on o.id = p.partner_id
   cross join lateral (select '{"reference":"x","won":"${won}"}' as payload) w limit 1`
const row = `
  insert into partner_payment (id, partner_id, reference, amount, at)
  select ${ID}, partner_id, 'x', 100, service_now() from partner_payment limit 1`

export const PAYMENT_THEFTS: [check: string, what: string, mistake: string][] = [
  [
    'payment_transfer_has_its_payment',
    'a payment that nobody booked',
    post('partner_payment', 'gen_random_uuid()', SETTLEMENT, RECEIVABLE),
  ],
  [
    'payment_took_two_people',
    'a payment booked over more than was agreed on',
    `${agreed('payment', '10')}; ${row}; ${post('partner_payment', ID, SETTLEMENT, RECEIVABLE)}`,
  ],
  [
    'payment_took_two_people',
    'a payment booked on what was agreed on as something else',
    `${agreed('credit_limit', '100')}; ${row}; ${post('partner_payment', ID, SETTLEMENT, RECEIVABLE)}`,
  ],
  [
    'payment_took_two_people',
    'a payment made larger, with transfer and balances',
    `${behind('partner_payment', 'update partner_payment set amount = amount + 100')};
     ${behind('transfer', `update transfer set amount = amount + 100 where kind = 'partner_payment'`)};
     update account set balance = balance + 100 where id = ${RECEIVABLE};
     update account set balance = balance - 100 where id = ${SETTLEMENT}`,
  ],
  [
    'payment_agrees_with_its_transfers',
    'a payment agreed on and never moved',
    `${agreed('payment', '100')}; ${row}`,
  ],
  [
    'payment_agrees_with_its_transfers',
    'a payment moved twice',
    post('partner_payment', '(select id from partner_payment)', SETTLEMENT, RECEIVABLE),
  ],
  [
    'payment_agrees_with_its_transfers',
    'a payment booked for another partner than it moved for',
    behind(
      'partner_payment',
      `update partner_payment set partner_id = (select max(o.id) from partner o where o.id <> partner_id)`,
    ),
  ],
  ['agreed_payment_is_there', 'a payment agreed on and not booked', agreed('payment', '100')],
  ['agreed_payment_is_there', 'a reversal agreed on and not carried out', agreed('payment_reversal', '100')],
  [
    'payment_took_two_people',
    'a payment reversed by nobody, with transfer',
    `alter table partner_payment drop constraint partner_payment_check;
     update partner_payment set reversed_at = service_now();
     ${post('partner_payment_back', '(select id from partner_payment)', RECEIVABLE, SETTLEMENT)}`,
  ],
  [
    'settlement_is_what_was_paid',
    'what partners paid, moved on to a receivable without a payment',
    post('partner_payment', 'gen_random_uuid()', SETTLEMENT, RECEIVABLE),
  ],
  [
    'transfer_has_the_time_of_its_cause',
    'a payment’s transfer moved a year',
    behind('transfer', `update transfer set at = at - interval '1 year' where kind = 'partner_payment'`),
  ],
]
