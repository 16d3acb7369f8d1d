// Thefts by what takes two people, as in planted-thefts.ts. The books hold one adjustment of 100 points up (`me`) and one card
// that two people voided.
const MINE = `(select a.id from account a join partner_user u on u.member_id = a.holder_id
                where u.partner_key = 'me' and a.asset = 'KRW_POINT')`
const HOUSE = `(select id from account where kind = 'adjustments' and asset = 'KRW_POINT')`
const ID = `'00000000-0000-7000-8000-00000000000a'::uuid`

const behind = (table: string, mistake: string) =>
  `alter table ${table} disable trigger user; ${mistake}; alter table ${table} enable trigger user`

const post = (kind: string, group: string, debit: string, credit: string) =>
  `select post_transfers('${kind}', service_now(), array[${group}], array[null::uuid], array[${debit}], array[${credit}],
                         array[100::bigint])`

// A request as two people leave it.
const agreed = (kind: string, payload: string, more: Record<string, string> = {}) => {
  const columns = { maker: `'cli:me'`, checker: `'cli:you'`, ...more }
  return `
  insert into change_request (id, kind, subject, payload, payload_hash, basis, reason, created_at, expires_at, status,
                              decided_at, executed_hash, ${Object.keys(columns).join(', ')})
  select ${ID}, '${kind}', u.member_id::text, w.payload, sha256(convert_to(w.payload, 'UTF8')), '{}', 'x', service_now(),
         service_now() + interval '1 day', 'executed', service_now(), sha256(convert_to(w.payload, 'UTF8')),
         ${Object.values(columns).join(', ')}
    from partner_user u cross join lateral (select '${payload}' as payload) w where u.partner_key = 'me'`
}
const UP = '{"amount":"100","asset":"KRW_POINT"}'
const STAFF = `'00000000-0000-7000-8000-00000000000b'::uuid`
const staff = `insert into staff (id, email, name, role, created_at) values (${STAFF}, 'x@y.example', 'x', 'admin', now())`

// The card of 700, with its transfer and usage. `details`: of an entry of its moment.
const voidedBySql = (details?: string) => `
  update gift_card set status = 'voided', voided_at = service_now(), pin = null where amount = 700;
  select post_transfers('void', service_now(), array[gen_random_uuid()], array[c.id], array[outstanding_account()],
                        array[a.id], array[c.amount])
    from gift_card c join account a on a.partner_id = c.partner_id and a.kind = 'partner_receivable' where c.amount = 700;
  insert into usage_day (partner_id, day, shard, issued)
  select partner_id, issued_on, 9, -amount from gift_card where amount = 700;
  ${details === undefined ? '' : `insert into audit_entry (actor, action, subject, details) select 'cli:me', 'card.void', id::text, '${details}' from gift_card where amount = 700`}`

export const APPROVAL_THEFTS: [check: string, what: string, mistake: string][] = [
  [
    'adjustment_took_two_people',
    'points added by an adjustment that nobody asked for',
    post('adjust_up', 'gen_random_uuid()', HOUSE, MINE),
  ],
  [
    'adjustment_took_two_people',
    'an adjustment of less than what was added',
    `${agreed('adjustment', '{"amount":"10","asset":"KRW_POINT"}')}; ${post('adjust_up', ID, HOUSE, MINE)}`,
  ],
  [
    'adjustment_took_two_people',
    'points taken where two people agreed to add them',
    `${agreed('adjustment', UP)}; ${post('adjust_down', ID, MINE, HOUSE)}`,
  ],
  [
    'adjustment_took_two_people',
    'an adjustment of another person',
    `${behind('change_request', `update change_request set subject = gen_random_uuid()::text where kind = 'adjustment'`)}`,
  ],
  [
    'adjustment_took_two_people',
    'an adjustment moved a year, with its request',
    behind('transfer', `update transfer set at = at - interval '1 year' where kind = 'adjust_up'`),
  ],
  [
    'agreed_adjustment_moved_once',
    'an adjustment posted twice',
    post('adjust_up', `(select id from change_request where kind = 'adjustment')`, HOUSE, MINE),
  ],
  ['agreed_adjustment_moved_once', 'an adjustment agreed on and never moved', agreed('adjustment', UP)],
  [
    'agreed_void_is_there',
    'a void agreed on, the card never voided',
    agreed('card_void', '{"amount":"900","status":"voided"}'),
  ],
  [
    'agreed_void_is_there',
    'a voided card that was voided on another day than two people agreed on it',
    behind(
      'gift_card',
      `update gift_card set voided_at = voided_at - interval '1 day' where status = 'voided'`,
    ),
  ],
  ['voided_card_was_voided_by_an_act', 'a void that nobody made', voidedBySql()],
  [
    'voided_card_was_voided_by_an_act',
    'a void by one person of what takes two',
    voidedBySql('{"approvalFrom":"700"}'),
  ],
  [
    'voided_card_was_voided_by_an_act',
    'a void that names a request of nobody',
    voidedBySql('{"request":"00000000-0000-7000-8000-00000000000a"}'),
  ],
  [
    'one_person_for_two_is_of_a_sandbox',
    'one person for two in a database that is live',
    `${agreed('price', '{}', { checker: `'cli:me'`, single_person: 'true' })};
     update installation set mode = 'live', clock_offset = '0'`,
  ],
  [
    'request_is_what_was_carried_out',
    'a request approved by its own staff member under another name',
    `alter table change_request drop constraint change_request_two_people; ${staff};
     ${agreed('price', '{}', { maker_staff: STAFF, checker_staff: STAFF })}`,
  ],
  [
    'request_is_what_was_carried_out',
    'one person for two, declared of a request that was refused',
    `alter table change_request drop constraint change_request_single_is_executed;
     ${behind('change_request', `update change_request set single_person = true, status = 'refused', executed_hash = null where kind = 'adjustment'`)}`,
  ],
  [
    'second_person_is_no_account_of_the_first',
    'a request of a bound account, approved by its staff member in the console',
    `${staff}; insert into staff_account (account, staff_id, bound_at, bound_by) values ('cli:me', ${STAFF}, service_now(), 'x');
     ${agreed('price', '{}', { checker: `'staff:x@y.example'`, checker_staff: STAFF })}`,
  ],
]

export const REFUSED_ADJUSTMENTS: [what: string, statement: string][] = [
  [
    'an adjustment out of the house’s trading',
    post(
      'adjust_up',
      'gen_random_uuid()',
      `(select id from account where kind = 'trading' and asset = 'KRW_POINT' limit 1)`,
      MINE,
    ),
  ],
  ['an adjustment the wrong way round', post('adjust_down', 'gen_random_uuid()', HOUSE, MINE)],
]

// As one person, a partner or an earlier release left it.
export const VOIDS_BY_ONE = ['{"approvalFrom":"701"}', '{}'].map((details) => voidedBySql(details))
