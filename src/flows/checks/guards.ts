// What the database itself refuses, it refuses only while its guards stand. A session that switches them off for itself
// (session_replication_role) leaves no trace here: what it wrote is found by the other checks, as far as a query can.
const TRIGGERS = [
  ...['account_stays', 'account_stays_whole'].map((name) => `account.${name}`),
  ...['audit_entry_is_final', 'audit_entry_is_final_whole'].map((name) => `audit_entry.${name}`),
  ...['change_request_is_final', 'change_request_stays', 'change_request_stays_whole'].map(
    (name) => `change_request.${name}`,
  ),
  ...['gift_card_is_final', 'gift_card_stays', 'gift_card_stays_whole'].map((name) => `gift_card.${name}`),
  'metal_price.metal_price_stays_whole',
  ...['partner_stays', 'partner_stays_whole', 'partner_validity_begins', 'partner_validity_changes'].map(
    (name) => `partner.${name}`,
  ),
  ...['partner_validity_is_final', 'partner_validity_is_final_whole'].map(
    (name) => `partner_validity.${name}`,
  ),
  ...['refund_policy_is_final', 'refund_policy_is_final_whole'].map((name) => `refund_policy.${name}`),
  ...['trade_order_is_final', 'trade_order_is_final_whole'].map((name) => `trade_order.${name}`),
  ...['trading_terms_is_final', 'trading_terms_is_final_whole', 'trading_terms_two_people'].map(
    (name) => `trading_terms.${name}`,
  ),
  ...['transfer_is_final', 'transfer_is_final_whole', 'transfer_joins'].map((name) => `transfer.${name}`),
  ...['withdrawal_stays', 'withdrawal_stays_whole'].map((name) => `withdrawal.${name}`),
]

const CONSTRAINTS = [
  'account.account_floor',
  'change_request.change_request_two_people',
  'gift_card.gift_card_used_by_check',
  'metal_price.metal_price_by_hand',
  'trade_order.trade_order_price_check',
  'withdrawal.withdrawal_paid_by_another',
]

// What a guard does is its function's text. A migration that changes one changes its hash here.
const FUNCTIONS = {
  refuse_change: '616837f9a26e40129d9b55c85243084c',
  refuse_lone_terms: '6414d43a50931c9c37605bce6bd7c5d6',
  refuse_strange_transfers: 'faa95bc61cdff415e943d4ed1e231276',
  transfer_may_join: '155c4d5b583fe8edfd0643f69ba97c4d',
}

const listed = (names: readonly string[]) => names.map((name) => `('${name}')`).join(', ')

export const GUARD_CHECKS = {
  triggers_are_in_place: `
    select coalesce(wanted.name, there.name) as id
      from (values ${listed(TRIGGERS)}) as wanted (name)
      full join (select c.relname || '.' || t.tgname as name, t.tgenabled in ('O', 'A') as enabled
                   from pg_trigger t join pg_class c on c.oid = t.tgrelid
                  where not t.tgisinternal and c.relnamespace = 'public'::regnamespace) there on there.name = wanted.name
     where there.name is null or not there.enabled`,
  constraints_are_in_place: `
    select wanted.name as id from (values ${listed(CONSTRAINTS)}) as wanted (name)
     where not exists (select from pg_constraint k join pg_class c on c.oid = k.conrelid
                        where c.relname || '.' || k.conname = wanted.name and c.relnamespace = 'public'::regnamespace)`,
  guards_do_what_they_did: `
    select wanted.name as id
      from (values ${Object.entries(FUNCTIONS)
        .map(([name, hash]) => `('${name}', '${hash}')`)
        .join(', ')}) as wanted (name, hash)
     where not exists (select from pg_proc p where p.proname = wanted.name and p.pronamespace = 'public'::regnamespace
                         and md5(p.prosrc) = wanted.hash)`,
  // Only a release adds one; what a refund gives is read from here.
  refund_policies_are_those_of_the_release: `
    with known (version, effective_from, cancel_days, refund_years, small_up_to, small_percent, large_percent,
                points_percent, notice_days) as (
      values ('kr-2025-09', '2000-01-01'::date, 7, 5, 50000::bigint, 90, 95, 100, '{30,14,7,1}'::integer[]))
    select version as id from ((table known except table refund_policy)
                               union all (table refund_policy except table known)) other`,
} as const
