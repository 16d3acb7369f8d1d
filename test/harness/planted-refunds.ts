// Refunds and policies rewritten by somebody who can write to the database, as in planted-thefts.ts. The books hold refunds as
// points and as money, one that two people agreed on, an extended card, an expired card and an agreed policy `kr-test`.
const behind = (table: string, mistake: string) =>
  `alter table ${table} disable trigger user; ${mistake}; alter table ${table} enable trigger user`
const house = (kind: string, asset = 'KRW_POINT') =>
  `(select id from account where kind = '${kind}' and asset = '${asset}' order by id limit 1)`
const EXPIRED = `(select c.id from gift_card c left join card_refund r on r.card_id = c.id
                   where c.status = 'expired' and r.card_id is null order by c.id limit 1)`
const MONEY = `(select card_id from card_refund where payout = 'money' and request_id is null order by at limit 1)`
const HOLDER = `(select a.id from account a join card_refund r on r.holder_id = a.holder_id
                  where r.payout = 'points' and a.asset = 'KRW_POINT' limit 1)`
const refund = (changes: Record<string, string> = {}) => {
  const row = {
    card_id: EXPIRED,
    id: 'gen_random_uuid()',
    quote_id: 'gen_random_uuid()',
    holder_id: '(select holder_id from card_refund limit 1)',
    payout: `'points'`,
    policy: `'kr-2025-09'`,
    face: `(select amount from gift_card where id = ${EXPIRED})`,
    percent: '100',
    deduction: '0',
    total: `(select amount from gift_card where id = ${EXPIRED})`,
    at: 'service_now()',
    ...changes,
  }
  return `insert into card_refund (${Object.keys(row).join(', ')}) values (${Object.values(row).join(', ')})`
}

export const REFUND_THEFTS: [check: string, what: string, mistake: string][] = [
  [
    'lapse_is_of_an_unclaimed_card',
    'an expired card taken by the house before its deadline',
    `select post_transfers('lapse', service_now(), array[gen_random_uuid()], array[${EXPIRED}], array[${house('expired_cards')}],
                           array[${house('breakage')}], array[(select amount from gift_card where id = ${EXPIRED})])`,
  ],
  [
    'refund_transfer_has_its_refund',
    'a refund of no card',
    `select post_transfers('refund', service_now(), array[gen_random_uuid()], array[null::uuid], array[${house('expired_cards')}],
                           array[${HOLDER}], array[100::bigint])`,
  ],
  ['refund_agrees_with_its_transfers', 'a refund that moved nothing', refund()],
  [
    'refund_is_by_its_policy',
    'a refund as money without a deduction, with its figures',
    behind(
      'card_refund',
      `update card_refund set percent = 100, deduction = 0, total = face where card_id = ${MONEY}`,
    ),
  ],
  [
    'refund_agrees_with_its_transfers',
    'a refund to another member',
    behind('card_refund', `update card_refund set holder_id = gen_random_uuid() where card_id = ${MONEY}`),
  ],
  [
    'refund_is_by_its_policy',
    'a refund by another version',
    behind('card_refund', `update card_refund set policy = 'kr-test' where card_id = ${MONEY}`),
  ],
  [
    'refund_is_by_its_policy',
    'a refund moved past the last day, with its transfers',
    `${behind('card_refund', `update card_refund set at = at + interval '10 years'`)};
     ${behind('transfer', `update transfer set at = at + interval '10 years' where kind like 'refund%'`)}`,
  ],
  [
    'refund_took_two_people',
    'an operator’s refund that nobody asked for',
    behind(
      'card_refund',
      `update card_refund set request_id = (select id from change_request where kind = 'refund_policy')
                            where card_id = ${MONEY}`,
    ),
  ],
  [
    'refund_took_two_people',
    'an agreed refund turned into a member’s own claim',
    behind('card_refund', `update card_refund set request_id = null where request_id is not null`),
  ],
  [
    'expired_liability_is_of_unrefunded_cards',
    'a refund deleted',
    behind('card_refund', `delete from card_refund where card_id = ${MONEY}`),
  ],
  [
    'refund_exchange_cancels_out',
    'points that never became won',
    `select post_transfers('refund_exchange', service_now(), array[gen_random_uuid()], array[null::uuid],
                           array[${house('expired_cards')}], array[${house('refund_exchange')}], array[100::bigint])`,
  ],
  [
    'refund_policy_was_released_or_agreed',
    'a policy rewritten',
    behind('refund_policy', `update refund_policy set large_percent = 100 where version = 'kr-2025-09'`),
  ],
  [
    'refund_policy_was_released_or_agreed',
    'an agreed policy rewritten',
    behind('refund_policy', `update refund_policy set small_percent = 99 where version = 'kr-test'`),
  ],
  [
    'refund_policy_was_released_or_agreed',
    'a policy that nobody agreed on',
    `insert into refund_policy (version, effective_from, cancel_days, refund_years, small_up_to, small_percent, large_percent,
                                points_percent, notice_days)
     select 'mine', seoul_date(service_now()) + 1, 7, 5, 50000, 100, 100, 100, notice_days from refund_policy limit 1`,
  ],
  [
    'refund_policy_was_released_or_agreed',
    'a longer extension',
    behind('refund_policy_detail', `update refund_policy_detail set extension_months = 12`),
  ],
  [
    'agreed_policy_is_there',
    'an agreed policy deleted',
    behind('refund_policy_detail', `delete from refund_policy_detail where version = 'kr-test'`),
  ],
  [
    'extension_is_by_its_policy',
    'an extension of a year, with its card',
    `${behind('card_extension', `update card_extension set to_day = to_day + 275`)};
     ${behind('gift_card', `update gift_card c set expires_on = x.to_day from card_extension x where x.card_id = c.id`)}`,
  ],
  [
    'card_ends_when_its_partner_said',
    'an extension deleted',
    behind('card_extension', `delete from card_extension`),
  ],
]
