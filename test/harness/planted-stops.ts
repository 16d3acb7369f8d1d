// Stops that somebody undoes by SQL: the log has the stop, and nothing that ended it.
const noted = (action: string, subject: string, from: string) =>
  `insert into audit_entry (actor, action, subject) select 'cli:me', '${action}', ${subject} from ${from}`

// Ended by an act before, so that only the last entry counts.
const again = (stop: string, end: string, subject: string, from: string) =>
  [stop, end, stop].map((action) => noted(action, subject, from)).join('; ')

export const STOP_MISTAKES: [check: string, mistake: string][] = [
  [
    'freeze_was_ended_by_an_act',
    `insert into member_freeze (id, member_id, frozen_at, frozen_by, thawed_at, thawed_by)
     select gen_random_uuid(), member_id, service_now(), 'cli:me', service_now(), 'cli:me' from partner_user limit 1;
     ${again('member.freeze', 'member.thaw', 'member_id::text', 'partner_user')}`,
  ],
  [
    'suspended_user_was_resumed_by_an_act',
    again('user.suspend', 'user.resume', 'id::text', `partner_user where status = 'active'`),
  ],
  [
    'trading_was_stopped_and_resumed_by_an_act',
    again('trading.stop', 'trading.resume', `'trading'`, 'installation'),
  ],
  [
    'trading_was_stopped_and_resumed_by_an_act',
    `${noted('trading.resume', `'trading'`, 'installation')};
     alter table trading_terms disable trigger user;
     insert into trading_terms (metal, spread_bps, fee_bps, max_age_seconds, at, set_by, stopped)
     select metal, spread_bps, fee_bps, max_age_seconds, service_now(), 'cli:me', true from current_terms('XAU')`,
  ],
  [
    'withdrawals_were_resumed_by_an_act',
    again('member.stop', 'member.recover', 'id::text', 'member_account where closed_at is null'),
  ],
]

// The same entries, ended by the last one.
export const ENDED_STOPS = [
  ['member.freeze', 'member.thaw', 'member_id::text', 'partner_user'],
  ['user.suspend', 'user.resume', 'id::text', 'partner_user'],
  ['trading.stop', 'trading.resume', `'trading'`, 'installation'],
  ['member.stop', 'member.recover', 'id::text', 'member_account'],
]
  .map(([stop, end, subject, from]) =>
    [stop!, end!].map((action) => noted(action, subject!, from!)).join('; '),
  )
  .join('; ')
