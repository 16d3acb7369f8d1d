// Of the members numbered $1 to $2. Three in four have an account, half of them a link with the first partner, an eighth one with the
// second as well.
const MEMBERS = `
  insert into member (id, ci, created_at)
  select m.id, bench.sealed(l.header, 'ci', m.n, 119), m.since from bench.members($1, $2) m, bench.load l`

const INDEXES = `
  insert into member_ci (key_id, hmac, member_id)
  select l.index_key, bench.hash('ci', m.n), m.id from bench.members($1, $2) m, bench.load l`

// Names repeat, as names do: a thousand of them. $3 is one password's hash, everyone's.
const ACCOUNTS = `
  insert into member_account (id, member_id, login_id, password, password_changed_at, details, created_at, logins_after,
                              phone_index, name_index, search_key)
  select m.account_id, m.id, 'bench' || m.n, $3, m.since, bench.sealed(l.header, 'd', m.n, 119), m.since,
         m.since - interval '1 second', bench.hash('mdn', m.n), bench.hash('name', m.n % 1000), l.index_key
    from bench.members($1, $2) m, bench.load l where m.n % 4 <> 0`

const LINKS = `
  with linked as (
    insert into partner_user (id, partner_id, partner_key, member_id, confirmed, registered_at, registered_by, logins_after,
                              details, details_hash, index_key, details_at, phone_index, name_index, search_key)
    select bench.v7(m.since, 'l' || place, m.n), l.partners[place], bench.v7(m.since, 'k' || place, m.n)::text, m.id, true,
           m.since, 'bench0000000', m.since - interval '1 microsecond', bench.sealed(l.header, 'd', m.n, 119),
           bench.hash('details', m.n), l.index_key, m.since, bench.hash('mdn', m.n), bench.hash('name', m.n % 1000), l.index_key
      from bench.members($1, $2) m, bench.load l, (values (1, 2), (2, 8)) linked (place, every)
     where m.n % linked.every = 0
    returning id, registered_at, index_key),
  agreed as (
    insert into consent (partner_user_id, terms_id, agreed, at) select id, 'marketing', true, registered_at from linked),
  traced as (
    insert into signup_trace (id, partner_user_id, trace_no, hash, index_key, at)
    select gen_random_uuid(), u.id, bench.sealed(l.header, 'trace', row_number() over (), 46), sha256(uuid_send(u.id)),
           u.index_key, u.registered_at
      from linked u, bench.load l)
  insert into audit_entry (at, actor, action, subject) select registered_at, 'bench', 'user.signup', id::text from linked`

const CONSENTS = `
  insert into member_consent (account_id, terms_id, agreed, at)
  select m.account_id, terms_id, true, m.since
    from bench.members($1, $2) m, unnest(array['service', 'privacy']) terms_id where m.n % 4 <> 0`

const AUDIT = `
  insert into audit_entry (at, actor, action, subject)
  select m.since, 'member', 'member.signup', m.account_id::text from bench.members($1, $2) m where m.n % 4 <> 0`

const DEVICES = `
  insert into device (hash, owner_id, first, trusted_at, seen_at, trusted)
  select bench.hash('device', m.n), m.account_id, true, m.since, m.since, true
    from bench.members($1, $2) m where m.n % 4 <> 0`

export const MEMBER_ROWS = [MEMBERS, INDEXES, LINKS, AUDIT, CONSENTS, DEVICES] as const
export const MEMBER_ACCOUNTS = ACCOUNTS

// What each of them holds. One in three who has points buys a hundredth of a gram of gold, one in six sells half of it, one in twelve
// withdraws from that. The price of every order is the same, so that its figures are known here.
export const HOLDERS = `
  create table bench.holder as
    select s.owner as j, l.first_member + s.owner as n,
           bench.v7(bench.member_since(l.now, l.members, s.owner), 'm', l.first_member + s.owner) as id,
           l.first_account + 3 * s.owner as account, s.points, s.last_used,
           s.owner % 3 = 0 and s.last_used < l.now - interval '1 hour' as buys,
           s.owner % 6 = 0 and s.last_used < l.now - interval '1 hour' as sells,
           s.owner % 12 = 0 and s.last_used < l.now - interval '3 days' as withdraws
      from bench.load l,
           (select owner, sum(amount)::bigint as points, max(used_at) as last_used
              from bench.cards((select first_card from bench.load), (select first_card + cards - 1 from bench.load))
             where status = 'used' group by owner) s`

const HOLDINGS = `
  insert into account (id, kind, asset, holder_id, floor, balance, cost) overriding system value
  select h.account + a.i, 'holding', a.asset, h.id, 0, a.balance, a.cost
    from bench.holder h,
         lateral (values (0, 'KRW_POINT', h.points - case when h.buys then 2001 else 0 end, 0, true),
                         (1, 'KRW', 984 - case when h.withdraws then 900 else 0 end, 0, h.sells),
                         (2, 'XAU', case when h.sells then 50 else 100 end, case when h.sells then 1000 else 2001 end, h.buys)
                 ) a (i, asset, balance, cost, there)
   where a.there order by 1`

export const OPEN_HOLDINGS = [HOLDINGS]

// One for each day: an order names a price that was good at its time.
const PRICES = `
  insert into metal_price (metal, at, won_per_gram, source)
  select 'XAU', day + interval '123 microseconds', 198500, 'bench'
    from (select min(last_used) as first, max(last_used) + interval '1 day' as last from bench.holder) h,
         generate_series(date_trunc('day', h.first), h.last, interval '1 day') as day
  on conflict do nothing`

const ORDERS = `
  insert into trade_order (id, quote_id, holder_id, side, metal, units, reference, price, spread_bps, fee_bps, metal_won, fee, total,
                           from_points, from_deposit, cost, at, price_at, price_source)
  select bench.v7(h.last_used, 'o' || o.side, h.n), bench.v7(h.last_used, 'q' || o.side, h.n), h.id, o.side, 'XAU', o.units, 198500,
         o.price, 100, 30, o.metal_won, o.fee, o.total, o.points, 0, o.cost, h.last_used + o.wait,
         date_trunc('day', h.last_used + o.wait) + interval '123 microseconds', 'bench'
    from bench.holder h,
         lateral (values ('buy', 100, 199493, 1995, 6, 2001, 2001, 2001, interval '1 minute', h.buys),
                         ('sell', 50, 197507, 987, 3, 984, 0, 1001, interval '2 minutes', h.sells)
                 ) o (side, units, price, metal_won, fee, total, points, cost, wait, there)
   where o.there order by h.last_used`

const WITHDRAWALS = `
  insert into withdrawal (id, holder_id, request_id, amount, destination, bank, status, requested_at, approved_at, approved_by,
                          settled_at, settled_by, payable_after)
  select bench.v7(h.last_used, 'w', h.n), h.id, gen_random_uuid(), 900, bench.sealed(l.header, 'w', h.n, 100), '004', 'paid',
         h.last_used + interval '3 minutes', h.last_used + interval '1 day', 'bench', h.last_used + interval '2 days', 'another',
         h.last_used + interval '1 day 3 minutes'
    from bench.holder h, bench.load l where h.withdraws`

const TRADE_TRANSFERS = `
  insert into transfer (group_id, kind, asset, amount, debit_account, credit_account, at)
  select t.group_id, t.kind, t.asset, t.amount, case when t.leaves then h.account + t.i else house.id end,
         case when t.leaves then house.id else h.account + t.i end, h.last_used + t.wait
    from bench.holder h
   cross join lateral (values
           (bench.v7(h.last_used, 'obuy', h.n), 'buy', 'KRW_POINT', 2001, 0, true, interval '1 minute', h.buys),
           (bench.v7(h.last_used, 'obuy', h.n), 'buy', 'XAU', 100, 2, false, interval '1 minute', h.buys),
           (bench.v7(h.last_used, 'osell', h.n), 'sell', 'XAU', 50, 2, true, interval '2 minutes', h.sells),
           (bench.v7(h.last_used, 'osell', h.n), 'sell', 'KRW', 984, 1, false, interval '2 minutes', h.sells)
         ) t (group_id, kind, asset, amount, i, leaves, wait, there)
    join account house on house.kind = 'trading' and house.asset = t.asset and house.shard = h.n % 16
   where t.there order by h.last_used, t.wait`

const PAYOUT_TRANSFERS = `
  insert into transfer (group_id, kind, asset, amount, debit_account, credit_account, at)
  select bench.v7(h.last_used, 'w', h.n), t.kind, 'KRW', 900, t.debit, t.credit, h.last_used + t.wait
    from bench.holder h
    join account waiting on waiting.kind = 'withdrawals' and waiting.shard = h.n % 16
    join account bank on bank.kind = 'bank'
   cross join lateral (values ('withdraw', h.account + 1, waiting.id, interval '3 minutes'),
                         ('withdraw_paid', waiting.id, bank.id, interval '2 days')) t (kind, debit, credit, wait)
   where h.withdraws order by h.last_used, t.wait`

export const TRADES = [PRICES, ORDERS, WITHDRAWALS, TRADE_TRANSFERS, PAYOUT_TRANSFERS]
