// Of the cards numbered $1 to $2.
const CARDS = `
  insert into gift_card (id, tx_id, number, partner_id, api_key_id, amount, status, issued_at, issued_on, expires_on, used_at,
                         voided_at, expired_at, used_by, index_key, recipient, recipient_index, pin, pin_index)
  select c.id, c.tx_id, c.number, l.partners[c.place], 'bench0000000', c.amount, c.status, c.issued_at, c.issued_on,
         c.expires_on, c.used_at, c.voided_at, c.expired_at,
         case when c.status = 'used'
              then bench.v7(bench.member_since(l.now, l.members, c.owner), 'm', l.first_member + c.owner) end,
         l.index_key, bench.sealed(l.header, 'r', c.n, 44), bench.hash('phone', c.phone),
         case when c.status in ('issued', 'expired') then bench.sealed(l.header, 'p', c.n, 47) end, bench.hash('pin', c.n)
    from bench.cards($1, $2) c, bench.load l`

// In the order of their time as far as one load of cards goes: an issue, then how the card ended.
const TRANSFERS = `
  insert into transfer (group_id, kind, asset, amount, debit_account, credit_account, card_id, at)
  select t.group_id, t.kind, 'KRW_POINT', c.amount, t.debit, t.credit, c.id, t.at
    from bench.cards($1, $2) c, bench.load l,
         lateral (values
           ('issue', c.tx_id, l.receivables[c.place], l.outstanding[c.n % 16 + 1], c.issued_at),
           ('void', bench.v7(c.voided_at, 'g', c.n), l.outstanding[c.n % 16 + 1], l.receivables[c.place], c.voided_at),
           ('expire', bench.v7(c.expired_at, 'g', c.n), l.outstanding[c.n % 16 + 1], l.expired[c.n % 16 + 1], c.expired_at),
           ('redeem', bench.v7(c.used_at, 'g', c.n), l.outstanding[c.n % 16 + 1], l.first_account + 3 * c.owner, c.used_at)
         ) t (kind, group_id, debit, credit, at)
   where t.at is not null`

const VOIDS = `
  insert into audit_entry (at, actor, action, subject)
  select voided_at, 'bench', 'card.void', id::text from bench.cards($1, $2) where voided_at is not null`

// All of them arrived: a message on each channel, each accepted and then delivered.
const DELIVERIES = `
  with sent as (
    insert into delivery (card_id, channel, created_at, status, attempt, provider, message_id, due_at, tried_at, first_tried_at,
                          sent_at, settled_at, text_version)
    select c.id, channel, c.issued_at, 'delivered', 1, 'solapi', 'M4V' || md5(channel || c.n), c.issued_at, c.issued_at,
           c.issued_at, c.issued_at, c.issued_at + interval '3 seconds', 2
      from bench.cards($1, $2) c, (values ('alimtalk'), ('text')) both_channels (channel)
    returning id, settled_at)
  insert into delivery_event (delivery_id, attempt, at, status, provider)
  select id, 1, settled_at - wait, status, 'solapi'
    from sent, (values (1, interval '2 seconds', 'accepted'), (2, interval '0', 'delivered')) event (i, wait, status)
   order by id, i`

const KEPT_KEYS = `
  insert into idempotency_key (partner_id, operation, key_hash, request_hash, card_id, tx_id, created_at)
  select l.partners[c.place], 'buy', bench.hash('key', c.n), bench.hash('request', c.n), c.id, c.tx_id, c.issued_at
    from bench.cards($1, $2) c, bench.load l where c.issued_at > l.now - interval '31 days'`

const REDEMPTION_KEYS = `
  insert into redemption_key (pin_hash, card_id, created_at)
  select bench.hash('used', c.n), c.id, c.used_at
    from bench.cards($1, $2) c, bench.load l where c.used_at > l.now - interval '31 days'`

const USAGE = `
  insert into usage_day as u (partner_id, day, shard, issued, used, used_in_issued)
  select l.partners[c.place], f.day, c.n % 4, sum(f.issued), sum(f.used), sum(f.used_in_issued)
    from bench.cards($1, $2) c, bench.load l,
         lateral (select c.issued_on as day, c.amount as issued, 0 as used,
                         case when c.status = 'used' then c.amount else 0 end as used_in_issued
                   where c.status <> 'voided'
                  union all
                  select (c.used_at at time zone 'Asia/Seoul')::date, 0, c.amount, 0 where c.status = 'used') f
   group by 1, 2, 3
  on conflict (partner_id, day, shard) do update
     set issued = u.issued + excluded.issued, used = u.used + excluded.used,
         used_in_issued = u.used_in_issued + excluded.used_in_issued`

export const CARD_ROWS = [CARDS, TRANSFERS, VOIDS, DELIVERIES, KEPT_KEYS, REDEMPTION_KEYS, USAGE] as const

// What the house's accounts hold follows from all transfers there are. People's accounts have it already.
export const HOUSE_BALANCES = `
  update account a set balance = moved.net
    from (select account, sum(net) as net
            from (select credit_account as account, amount as net from transfer
                  union all select debit_account, -amount from transfer) legs
           where account in (select id from account where kind <> 'holding')
           group by account) moved
   where a.id = moved.account`
