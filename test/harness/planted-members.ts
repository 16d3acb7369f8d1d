// Mistakes in the books of the member's side, each with the check that must find it. There is an account, signed in.
export const MEMBER_MISTAKES: [check: string, mistake: string][] = [
  [
    'what_was_told_has_its_link',
    `insert into former_details (partner_user_id, details, told_at, replaced_at, replaced_by)
     values (gen_random_uuid(), '\\x026531', service_now(), service_now(), 'test')`,
  ],
  [
    'member_has_a_link_or_an_account',
    `insert into member select gen_random_uuid(), ci, created_at from member`,
  ],
  [
    'erasure_was_carried_out',
    `insert into member_erasure (account_id, requested_at, requested_by, details_erased_at)
     select id, now(), 'member', now() from member_account`,
  ],
  // An account of one member that opens the holdings of another, and a password that its member did not choose.
  ['account_is_its_members_own', `update member_account set member_id = gen_random_uuid()`],
  ['account_is_its_members_own', `update member_account set password = password || 'x'`],
  ['account_has_its_member', `update member_account set member_id = gen_random_uuid()`],
  [
    'open_account_has_agreed_to_the_terms',
    `insert into member_consent (account_id, terms_id, agreed, at) select id, 'privacy', false, now() from member_account`,
  ],
  [
    'open_account_has_agreed_to_the_terms',
    `insert into member_account (id, member_id, login_id, password, password_changed_at, details, created_at, logins_after)
     select gen_random_uuid(), gen_random_uuid(), 'nobody', password, now(), details, now(), now() from member_account limit 1`,
  ],
  ['closed_account_lets_nobody_in', `update member_account set closed_at = now(), password = null`],
  ['session_has_its_owner', `update web_session set account_id = gen_random_uuid()`],
  ['refused_link_was_decided', `update partner_user set status = 'refused', confirmed = false`],
  [
    'refused_link_was_decided',
    `update partner_user set status = 'refused', confirmed = true, decided_at = now()`,
  ],
  [
    'member_consent_has_its_account',
    `insert into member_consent (account_id, terms_id, agreed, at) values (gen_random_uuid(), 'service', true, now())`,
  ],
  [
    'member_consents_change_from_row_to_row',
    `insert into member_consent (account_id, terms_id, agreed, at)
     select account_id, terms_id, agreed, at from member_consent`,
  ],
  [
    'nothing_is_under_an_old_key',
    `update member_account set details = '\\x026530'::bytea || substring(details from 4)`,
  ],
  [
    'nothing_is_under_an_old_key',
    `insert into identity_verification (id, purpose, provider, created_at, sent_at, expires_at, mdn)
     values (gen_random_uuid(), 'sign_up', 'simulated', now(), now(), now(), '\\x026530'::bytea || sha256('x'))`,
  ],
  // Left on a link, or come in, after its member had decided.
  [
    'holding_has_its_holder',
    `insert into account (kind, asset, floor, holder_id, balance)
     select 'holding', 'XAU', 0, id, 1 from partner_user where confirmed`,
  ],
  [
    'nothing_is_under_an_old_key',
    `update member_account set phone_index = sha256('x'), name_index = sha256('x'), search_key = 'an old one'`,
  ],
  [
    'nothing_is_under_an_old_key',
    `update partner_user set phone_index = sha256('x'), name_index = sha256('x'), search_key = 'an old one'`,
  ],
  // Put into the books behind the back of the trigger that refuses it: frozen a moment before what was moved.
  [
    'nothing_moves_for_a_frozen_member',
    `insert into member_freeze (id, member_id, frozen_at, frozen_by)
     select gen_random_uuid(), a.holder_id, t.at - interval '1 second', 'test'
       from transfer t join account a on a.id = t.credit_account
      where t.kind in ('redeem', 'buy', 'join') and exists (select from member m where m.id = a.holder_id) limit 1`,
  ],
  [
    'freeze_has_its_member',
    `insert into member_freeze (id, member_id, frozen_at, frozen_by) values (gen_random_uuid(), gen_random_uuid(), now(), 'test')`,
  ],
  ['frozen_member_is_frozen_everywhere', `update partner_user set status = 'frozen' where status = 'active'`],
  ['frozen_member_is_frozen_everywhere', `update member_account set frozen_at = now()`],
  [
    'frozen_member_is_frozen_everywhere',
    `insert into member_freeze (id, member_id, frozen_at, frozen_by)
     select gen_random_uuid(), member_id, now(), 'test' from partner_user where status = 'active' limit 1`,
  ],
  ['frozen_account_lets_nobody_in', `update member_account set frozen_at = now()`],
]
