// A passkey that nobody was told of.
function plantPasskey({ owner = 'id', name = 'details' } = {}): string {
  return `insert into passkey (id, account_id, credential_id, public_key, counter, transports, backup_eligible, backed_up,
                               name, created_at)
    select gen_random_uuid(), ${owner}, '\\x01', '\\x01', 0, '{}', false, false, ${name}, service_now()
      from member_account limit 1`
}

// Mistakes in what members are told and in a payout's wait, each with the check that must find it. There are withdrawals
// of an account that waits, was paid and was taken back.
export const NOTICE_MISTAKES: [check: string, mistake: string][] = [
  [
    'withdrawal_has_its_notice',
    `update notice set act_id = (select id from withdrawal where status = 'paid') where act_id is not null`,
  ],
  [
    'new_password_has_its_notice',
    `update member_account set password_changed_at = service_now() + interval '2 days'`,
  ],
  ['stop_has_its_notice', `update member_account set withdrawals_stopped_at = service_now()`],
  ['new_passkey_has_its_notice', plantPasskey()],
  ['passkey_is_of_an_open_account', plantPasskey({ owner: 'gen_random_uuid()' })],
  ['notice_has_its_account_and_act', `update notice set account_id = gen_random_uuid()`],
  [
    'notice_has_its_account_and_act',
    `update notice set act_id = gen_random_uuid() where id = (select min(id) from notice)`,
  ],
  ['notice_has_its_account_and_act', `update withdrawal set holder_id = gen_random_uuid()`],
  [
    'told_credit_alert_has_its_notice',
    `insert into credit_alert (partner_id, level, raised_at, told_at)
     select min(id), 80, service_now(), service_now() from partner`,
  ],
  [
    'notice_agrees_with_its_history',
    `update notice set status = 'accepted', attempt = 1 where id = (select min(id) from notice)`,
  ],
  ['no_notice_is_forgotten', `update notice set due_at = now() - interval '25 hours'`],
  [
    'payout_without_a_wait_has_a_payment_before',
    `alter table withdrawal disable trigger withdrawal_keeps_its_wait;
     update withdrawal set payable_after = requested_at, same_account_as = id where status = 'requested'`,
  ],
  [
    'payout_without_a_wait_has_a_payment_before',
    `alter table withdrawal disable trigger withdrawal_keeps_its_wait;
     update withdrawal set payable_after = requested_at, same_account_as = gen_random_uuid() where status = 'requested'`,
  ],
  // Paid to another bank.
  [
    'payout_without_a_wait_has_a_payment_before',
    `alter table withdrawal disable trigger withdrawal_keeps_its_wait;
     update withdrawal set bank = '004', payable_after = requested_at,
            same_account_as = (select id from withdrawal where status = 'paid') where status = 'requested'`,
  ],
  ...['settled_by = approved_by', 'settled_by = null'].map((change): [string, string] => [
    'payout_took_two_people',
    `alter table withdrawal drop constraint withdrawal_paid_by_another, drop constraint withdrawal_check2;
     update withdrawal set ${change} where status = 'paid'`,
  ]),
  [
    'payout_waited',
    `alter table withdrawal drop constraint withdrawal_paid_check, disable trigger withdrawal_keeps_its_wait;
     update withdrawal set payable_after = settled_at + interval '1 second' where status = 'paid'`,
  ],
  [
    'payout_waited',
    `alter table withdrawal drop constraint withdrawal_wait_check, disable trigger withdrawal_keeps_its_wait;
     update withdrawal set payable_after = requested_at + interval '23 hours' where status = 'requested'`,
  ],
  ['nothing_is_under_an_old_key', plantPasskey({ name: `'\\x026530'::bytea || substring(details from 4)` })],
  [
    'nothing_is_under_an_old_key',
    `update notice set content = '\\x026530'::bytea || substring(content from 4)`,
  ],
]
