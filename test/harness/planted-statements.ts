// Statements, rates and payments of statements, changed behind the guards, each with the check that must find it. One partner has
// one statement without figures.
const ID = `'00000000-0000-7000-8000-00000000000d'::uuid`
const PARTNER = '(select min(id) from partner)'
const DATA = `json_build_object('number', 'X', 'from', '2020-01-01', 'to', '2020-02-01', 'due', '0',
  'partner', json_build_object('code', (select code from partner where id = ${PARTNER})),
  'books', json_build_object('hash', encode(sha256('day'), 'hex'), 'throughId', '0'),
  'cards', json_build_object('due', '0', 'opening', '0', 'closing', '0', 'charged', '0', 'paid', '0', 'corrections', '[]'::json,
    'issued', json_build_object('amount', '0'), 'used', json_build_object('amount', '0'), 'voided', json_build_object('amount', 'VOIDED')),
  'commission', json_build_object('due', '0', 'supply', 'SUPPLY', 'vat', '0'))::text`
const statement = ({ due = 0, voided = 0, supply = 0, day = 'day', hash = `convert_to(d, 'UTF8')` } = {}) => `
  insert into closed_day (day, through_id, reads_from, movements, corrections, closed_at, closed_by, hash)
  select '2020-01-31', 0, 1, 0, 0, service_now(), 'x', sha256('${day}')
   where not exists (select from closed_day where day = '2020-01-31');
  insert into partner_statement (id, partner_id, number, period_from, period_to, due, due_commission, data, closed_at, closed_by, hash)
  select ${ID}, ${PARTNER}, 'X', '2020-01-01', '2020-02-01', ${due}, 0, d, service_now(), 'x', sha256(${hash})
    from (select replace(replace(${DATA}, 'VOIDED', '${voided}'), 'SUPPLY', '${supply}') as d) d;`
const account = (kind: string) => `(select id from account where kind = '${kind}' and asset = 'KRW')`
const commission = `select post_transfers('commission', service_now(), array[${ID}], array[null::uuid],
  array[${account('commissions_owed')}], array[${account('commissions')}], array[1::bigint]);`
const payment = (statements: string) => `
  insert into change_request (id, kind, subject, payload, payload_hash, basis, maker, reason, created_at, expires_at, status, checker,
                              decided_at, executed_hash)
  select ${ID}, 'payment', (select code from partner where id = ${PARTNER}), p, sha256(convert_to(p, 'UTF8')), '{}', 'cli:me', 'x',
         service_now(), service_now() + interval '1 day', 'executed', 'cli:you', service_now(), sha256(convert_to(p, 'UTF8'))
    from (select '{"prepay":false,"reference":"S-1","statements":"${statements}","won":"5"}' as p) p;
  insert into partner_payment (id, partner_id, reference, amount, at) values (${ID}, ${PARTNER}, 'S-1', 5, service_now());
  insert into partner_payment_part (payment_id, statement_id, amount, commission) values (${ID}, ${ID}, 5, 0);`

const agreedRate = (payload: string) => `
  insert into change_request (id, kind, subject, payload, payload_hash, basis, maker, reason, created_at, expires_at, status, checker,
                              decided_at, executed_hash)
  select ${ID}, 'commission_rate', (select code from partner where id = ${PARTNER}), p, sha256(convert_to(p, 'UTF8')), '{}', 'cli:me',
         'x', service_now(), service_now() + interval '1 day', 'executed', 'cli:you', service_now(), sha256(convert_to(p, 'UTF8'))
    from (select '${payload}' as p) p;`
const rate = (request: string) => `
  insert into commission_rate (partner_id, effective_from, bps, base, set_at, set_by, request_id)
  values (${PARTNER}, '2020-01-01', 150, 'issued', service_now(), 'x', ${request});`

export const STATEMENT_MISTAKES: [check: string, mistake: string][] = [
  ['statement_has_its_hash', statement({ hash: `'another'` })],
  ['statement_shows_its_row', statement({ due: 1 })],
  ['statement_is_of_its_closed_days', statement({ day: 'another' })],
  ['statement_agrees_with_its_cards', statement({ voided: 1 })],
  ['commission_agrees_with_its_transfers', statement({ supply: 1 })],
  ['commission_has_its_statement', commission],
  [
    'closed_statement_is_there',
    `insert into audit_entry (actor, action, subject, details)
     values ('x', 'statement.close', 'x', '{"number": "X", "hash": "00"}')`,
  ],
  [
    'rate_took_two_people',
    `alter table commission_rate drop constraint commission_rate_two_people; ${rate('null')}`,
  ],
  ['rate_took_two_people', agreedRate('{"base":"issued","bps":100,"effectiveFrom":"2020-01-01"}') + rate(ID)],
  ['agreed_rate_is_there', agreedRate('{"base":"issued","bps":150,"effectiveFrom":"2020-01-01"}')],
  ['statement_is_not_paid_twice', statement() + payment('X')],
  ['payment_pays_what_it_has', statement({ due: 9 }) + payment('Y')],
]
