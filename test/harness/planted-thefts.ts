import { APPROVAL_THEFTS, REFUSED_ADJUSTMENTS } from './planted-approvals.ts'
import { MEANING_THEFTS } from './planted-meanings.ts'
import { PAYMENT_THEFTS } from './planted-payments.ts'

// Thefts and rewritings by somebody who can write to the database, each done with care: balances, totals and usage are
// moved along, and triggers put back. The check named must find it. The books hold somebody who has bought, sold and used a
// card (`me`), and a stranger with points.
const NULL_CARD = 'array[null::uuid]'
const GROUP = 'array[gen_random_uuid()]'
const accountOf = (name: string, asset: string) =>
  `(select a.id from account a join partner_user u on u.member_id = a.holder_id
     where u.partner_key = '${name}' and a.asset = '${asset}')`
const house = (kind: string, asset: string) =>
  `(select id from account where kind = '${kind}' and asset = '${asset}' and shard = 3)`
const post = (kind: string, debit: string, credit: string) =>
  `select post_transfers('${kind}', service_now(), ${GROUP}, ${NULL_CARD}, array[${debit}], array[${credit}], array[100::bigint])`

// The table's triggers do not see it, and nobody sees that they did not.
const behind = (table: string, mistake: string) =>
  `alter table ${table} disable trigger user; ${mistake}; alter table ${table} enable trigger user`

const MY_POINTS = accountOf('me', 'KRW_POINT')

const move = (column: string, from: string, to: string) => `
  insert into usage_day (partner_id, day, shard, ${column})
  select partner_id, day, 9, sum(amount * sign) from gift_card
   cross join lateral (values (${from}, -1), (${to}, 1)) as d (day, sign)
   where status = 'used' group by partner_id, day`

const replaceTrigger = (what: string) => `
  drop trigger transfer_is_final on transfer;
  create trigger transfer_is_final before update or delete on transfer for each row ${what}`

type Theft = [check: string, what: string, mistake: string]

// Used by me, paid for by the partner: with its transfers, balances and usage.
const FORGED = `'00000000-0000-7000-8000-00000000000f'::uuid`
const forged = (kind: string, debit: string, credit: string) =>
  `select post_transfers('${kind}', service_now(), array[${FORGED}], array[${FORGED}], array[${debit}], array[${credit}], array[100::bigint])`
const FORGED_CARD = `
  insert into gift_card (id, tx_id, number, partner_id, api_key_id, amount, status, issued_at, issued_on, expires_on, used_at,
                         index_key, recipient, recipient_index, used_by)
  select ${FORGED}, ${FORGED}, number - 1, partner_id, api_key_id, 100, 'used', service_now(), seoul_date(service_now()), expires_on,
         service_now(), index_key, recipient, recipient_index, used_by from gift_card where status = 'used';
  ${forged('issue', `(select a.id from account a join gift_card c on c.partner_id = a.partner_id where c.id = ${FORGED})`, house('outstanding_cards', 'KRW_POINT'))};
  ${forged('redeem', house('outstanding_cards', 'KRW_POINT'), MY_POINTS)};
  insert into usage_day (partner_id, day, shard, issued, used, used_in_issued)
  select partner_id, issued_on, 9, 100, 100, 100 from gift_card where id = ${FORGED}`

export const THEFTS: Theft[] = [
  ...MEANING_THEFTS,
  ['card_was_bought_from_the_service', 'a used card of mine that nobody bought', FORGED_CARD],
  [
    'card_was_bought_from_the_service',
    'a card that is found by the number of another',
    `update gift_card set recipient_index = sha256(recipient_index) where status = 'used'`,
  ],
  [
    'card_was_bought_from_the_service',
    'a card bought with a key that is not there',
    behind('gift_card', `update gift_card set api_key_id = 'AAAAAAAAAAAA' where status = 'used'`),
  ],
  ['used_card_left_its_key', 'a card used by the PIN of another', 'delete from redemption_key'],
  ...PAYMENT_THEFTS,
  ...APPROVAL_THEFTS,
  [
    'join_stays_with_its_member',
    'a stranger’s points joined to mine',
    behind('transfer', post('join', accountOf('stranger', 'KRW_POINT'), MY_POINTS)),
  ],
  [
    'transfer_joins_what_it_may',
    'points of the house joined to mine',
    behind('transfer', post('join', house('trading', 'KRW_POINT'), MY_POINTS)),
  ],
  [
    'transfer_joins_what_it_may',
    'points from the bank’s own kind of transfer',
    behind('transfer', post('withdraw_back', house('trading', 'KRW_POINT'), MY_POINTS)),
  ],
  [
    'waive_is_of_a_closed_account',
    'an open member’s points waived',
    behind('transfer', post('waive', accountOf('stranger', 'KRW_POINT'), house('trading', 'KRW_POINT'))),
  ],
  [
    'transfer_has_the_time_of_its_cause',
    'used_at moved two days, with usage',
    behind(
      'gift_card',
      `${move('used', 'seoul_date(used_at)', 'seoul_date(used_at) + 2')};
       update gift_card set used_at = used_at + interval '2 days' where status = 'used'`,
    ),
  ],
  [
    'card_days_follow_from_its_moments',
    'used_at moved past expiry, with usage and its transfer',
    behind(
      'gift_card',
      `${move('used', 'seoul_date(used_at)', 'seoul_date(used_at) + 730')};
       update gift_card set used_at = used_at + interval '730 days' where status = 'used';
       ${behind('transfer', `update transfer set at = at + interval '730 days' where kind = 'redeem'`)}`,
    ),
  ],
  [
    'card_days_follow_from_its_moments',
    'issued_on moved a day, with usage',
    behind(
      'gift_card',
      `${move('issued', 'issued_on', 'issued_on - 1')} on conflict do nothing;
       update usage_day set used_in_issued = issued where shard = 9;
       update gift_card set issued_on = issued_on - 1 where status = 'used'`,
    ),
  ],
  [
    'card_ends_when_its_partner_said',
    'expires_on moved ten years',
    behind('gift_card', `update gift_card set expires_on = expires_on + interval '9 years'`),
  ],
  [
    'order_adds_up',
    'a purchase’s cost unlike its total, with the holding’s',
    `${behind('trade_order', `update trade_order set cost = cost + 100 where side = 'buy'`)};
     update account set cost = cost + 100 where id = ${accountOf('me', 'XAU')}`,
  ],
  [
    'sale_takes_its_share_of_the_cost',
    'a sale’s cost off, with the holding’s',
    `${behind('trade_order', `update trade_order set cost = cost - 1 where side = 'sell'`)};
     update account set cost = cost + 1 where id = ${accountOf('me', 'XAU')}`,
  ],
  [
    'order_adds_up',
    'an order off by one won, with transfer, balances and cost, its quote gone',
    `delete from trade_quote;
     ${behind(
       'trade_order',
       `update trade_order set metal_won = metal_won + 1, total = total + 1, cost = cost + 1, from_deposit = from_deposit + 1
         where side = 'buy'`,
     )};
     ${behind('transfer', `update transfer set amount = amount + 1 where kind = 'buy' and asset = 'KRW'`)};
     update account set balance = balance - 1 where id = ${accountOf('me', 'KRW')};
     update account a set balance = balance + 1 from transfer t where t.kind = 'buy' and t.asset = 'KRW' and a.id = t.credit_account;
     update account set cost = cost + 1 where id = ${accountOf('me', 'XAU')}`,
  ],
  [
    'order_was_on_terms_in_force',
    'an order without a fee, with transfer, balances and cost, its quote gone',
    `delete from trade_quote;
     create temporary table gain on commit drop as select fee from trade_order where side = 'buy';
     ${behind(
       'trade_order',
       `update trade_order set fee_bps = 0, fee = 0, total = total - fee, cost = cost - fee, from_deposit = from_deposit - fee
         where side = 'buy'`,
     )};
     ${behind('transfer', `update transfer set amount = amount - (select fee from gain) where kind = 'buy' and asset = 'KRW'`)};
     update account set balance = balance + (select fee from gain) where id = ${accountOf('me', 'KRW')};
     update account a set balance = balance - (select fee from gain)
       from transfer t where t.kind = 'buy' and t.asset = 'KRW' and a.id = t.credit_account;
     update account set cost = cost - (select fee from gain) where id = ${accountOf('me', 'XAU')}`,
  ],
  [
    'order_was_on_terms_in_force',
    'an order at a price of last year',
    `update metal_price p set at = at - interval '1 year'
      where exists (select from trade_order o where o.metal = p.metal and o.price_at = p.at);
     ${behind('trade_order', `update trade_order set price_at = price_at - interval '1 year'`)}`,
  ],
  [
    'kept_key_names_its_card',
    'a kept key pointed at another card of its partner',
    `update idempotency_key k set card_id = c.id, tx_id = c.tx_id from gift_card c
      where k.card_id <> c.id and not exists (select from idempotency_key o where o.card_id = c.id)`,
  ],
  [
    'kept_key_names_its_card',
    'two kept keys for one card',
    `insert into idempotency_key select partner_id, operation, sha256(key_hash), request_hash, card_id, tx_id, created_at
       from idempotency_key limit 1`,
  ],
  [
    'kept_key_answers_for_its_purchase',
    'a kept key pointed at another purchase of the same moment',
    `update idempotency_key set request_hash = sha256(request_hash)`,
  ],
  ['triggers_are_in_place', 'triggers left off', `alter table transfer disable trigger transfer_is_final`],
  [
    'triggers_are_in_place',
    'a trigger for replicas only',
    `alter table gift_card enable replica trigger gift_card_is_final`,
  ],
  ['triggers_are_in_place', 'a trigger gone', `drop trigger transfer_joins on transfer`],
  [
    'triggers_are_in_place',
    'a trigger of the same name that never fires',
    replaceTrigger('when (false) execute function refuse_change()'),
  ],
  [
    'triggers_are_in_place',
    'a trigger of the same name that does something else',
    `create function look_away() returns trigger language plpgsql as 'begin return coalesce(new, old); end';
     ${replaceTrigger('execute function look_away()')}`,
  ],
  [
    'triggers_are_in_place',
    'a trigger slipped in',
    `create function take_part() returns trigger language plpgsql as 'begin new.amount := 1; return new; end';
     create trigger take_part before insert on transfer for each row execute function take_part()`,
  ],
  ...[
    'withdrawal_keeps_its_wait on withdrawal',
    'notice_stays on notice',
    'notice_event_is_final on notice_event',
    'delivery_event_is_final on delivery_event',
    'delivery_event_stays on delivery_event',
  ].map((name): Theft => ['triggers_are_in_place', `gone: ${name}`, `drop trigger ${name}`]),
  [
    'guards_do_what_they_did',
    'a wait that can be shortened',
    `create or replace function keep_payout_wait() returns trigger language plpgsql as 'begin return new; end'`,
  ],
  [
    'guards_do_what_they_did',
    'a guard with settings of its own',
    `alter function refuse_change() set session_replication_role = replica`,
  ],
  [
    'guards_do_what_they_did',
    'a cost that begins with nothing',
    `create or replace aggregate replay_cost(text, bigint, bigint, bigint, bigint) (sfunc = replay_cost_step, stype = numeric[])`,
  ],
  [
    'guards_do_what_they_did',
    'a view that shows other rows',
    `create or replace view message_template as
       select partner_id, provider, purpose, language, template_id from template_registration where version = 2`,
  ],
  ...['account.account_floor', 'withdrawal.withdrawal_wait_check', 'withdrawal.withdrawal_paid_check'].map(
    (guard): Theft => {
      const [table, name] = guard.split('.')
      const change = `drop constraint ${name}, add constraint ${name} check (true)`
      return [
        'constraints_are_in_place',
        `${name} that lets everything pass`,
        `alter table ${table} ${change}`,
      ]
    },
  ),
  [
    'live_has_the_real_time',
    'a live clock that was moved',
    `alter table installation drop constraint installation_check;
     update installation set mode = 'live', clock_offset = interval '1 hour'`,
  ],
  ['constraints_are_in_place', 'a floor gone', `alter table account drop constraint account_floor`],
  [
    'guards_do_what_they_did',
    'a guard that looks away',
    `create or replace function refuse_change() returns trigger language plpgsql as 'begin return coalesce(new, old); end'`,
  ],
  [
    'refund_policy_was_released_or_agreed',
    'a refund policy rewritten',
    behind('refund_policy', `update refund_policy set large_percent = 100`),
  ],
  [
    'refund_policy_was_released_or_agreed',
    'a refund policy slipped in',
    behind(
      'refund_policy',
      `insert into refund_policy values ('mine', '2001-01-01', 7, 5, 50000, 100, 100, 100, '{30,14,7,1}')`,
    ),
  ],
  ['order_names_its_price', 'prices emptied', `delete from metal_price`],
  [
    'order_names_its_price',
    'a price rewritten',
    `update metal_price set won_per_gram = won_per_gram + 1 where metal = 'XAU'`,
  ],
  [
    'order_names_its_price',
    'a price that came from elsewhere than its order says',
    `update metal_price set source = 'elsewhere' where metal = 'XAU'`,
  ],
  [
    'transfer_has_the_time_of_its_cause',
    'an order’s transfer moved a year',
    behind('transfer', `update transfer set at = at - interval '1 year' where kind = 'sell'`),
  ],
  [
    'transfers_are_in_order_of_time',
    'a grant moved a year',
    behind('transfer', `update transfer set at = at - interval '1 year' where kind = 'grant'`),
  ],
  [
    'sealed_pin_is_its_cards',
    'sealed PINs swapped between cards',
    `update gift_card a set pin = b.pin from gift_card b where a.id <> b.id and a.pin is not null and b.pin is not null`,
  ],
  [
    'sealed_pin_is_its_cards',
    'the hashes of two PINs swapped: the PIN of one card redeems the other',
    `create temporary table hashes on commit drop as select id, pin_index from gift_card where pin is not null;
     update gift_card set pin_index = sha256(pin_index) where pin is not null;
     update gift_card a set pin_index = b.pin_index from hashes b where a.id <> b.id and a.pin is not null`,
  ],
  [
    'price_by_hand_took_two_people',
    'a price by hand that nobody asked for',
    `alter table metal_price drop constraint metal_price_by_hand;
     insert into metal_price (metal, at, won_per_gram, source) values ('XAU', service_now(), 1, 'operator')`,
  ],
  [
    'terms_for_buyers_took_two_people',
    'terms without a spread that nobody asked for',
    behind(
      'trading_terms',
      `insert into trading_terms (metal, spread_bps, fee_bps, max_age_seconds, at, set_by)
       values ('XAU', 0, 30, 300, service_now(), 'cli:me')`,
    ),
  ],
  [
    'request_is_what_was_carried_out',
    'a request approved by its maker',
    `alter table change_request drop constraint change_request_two_people;
     insert into change_request (id, kind, subject, payload, payload_hash, basis, maker, reason, created_at, expires_at,
                                 status, checker, decided_at, executed_hash)
     values (gen_random_uuid(), 'price', 'XAU', '{}', sha256('{}'), '{}', 'cli:me', 'x', service_now(),
             service_now() + interval '1 hour', 'executed', 'cli:me', service_now(), sha256('{}'))`,
  ],
]

export const REFUSED_TRANSFERS: [what: string, statement: string][] = [
  ...REFUSED_ADJUSTMENTS,
  ['a payment to a member', post('partner_payment', house('trading', 'KRW_POINT'), MY_POINTS)],
  ['a join from a stranger', post('join', accountOf('stranger', 'KRW_POINT'), MY_POINTS)],
  ['a join from the house', post('join', house('trading', 'KRW_POINT'), MY_POINTS)],
  ['a redemption out of the house’s trading', post('redeem', house('trading', 'KRW_POINT'), MY_POINTS)],
  ['a sale paid in points', post('sell', house('trading', 'KRW_POINT'), MY_POINTS)],
  ['a grant from a stranger', post('grant', accountOf('stranger', 'KRW_POINT'), MY_POINTS)],
]
