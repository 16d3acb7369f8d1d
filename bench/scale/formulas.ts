// Rows by formula: the card or member of a number is the same wherever it is asked for, so every table is filled from
// generate_series without a join. The time of a UUIDv7 grows with the number, as it does in life; hashes and card numbers are
// scattered, so that their indexes are filled as they would be.
//
// Over three years. Half of the cards are used within 60 days, a tenth is voided, the rest ends after a year. Those that ended
// yesterday are left for the worker. One card in a hundred belongs to the first member of the load, and one in a thousand was sent
// to one number: a holder and a recipient with long lists.
const SPAN_DAYS = 1_095

export const FORMULAS = `
  create schema if not exists bench;

  create table bench.load (
    now          timestamptz not null,
    today        date not null,
    first_card   bigint not null,
    cards        bigint not null,
    first_member bigint not null,
    members      bigint not null,
    partners     integer[] not null,
    receivables  bigint[] not null,
    outstanding  bigint[] not null,
    expired      bigint[] not null,
    first_account bigint not null,
    header       bytea not null,
    index_key    text not null
  );

  create function bench.v7(p_at timestamptz, p_salt text, p_n bigint) returns uuid language sql stable as $$
    select overlay(overlay(overlay(md5(p_salt || p_n)
             placing lpad(to_hex((extract(epoch from p_at) * 1000)::bigint), 12, '0') from 1)
             placing '7' from 13) placing '8' from 17)::uuid $$;

  -- What looks sealed: the header names the key, the rest is noise of the right length.
  create function bench.sealed(p_header bytea, p_salt text, p_n bigint, p_length integer) returns bytea language sql stable as $$
    select p_header || substring(sha256(convert_to(p_salt || p_n, 'UTF8')) || sha256(convert_to(p_n || p_salt, 'UTF8'))
                                 || sha256(int8send(p_n)) || sha256(int8send(-p_n))
                            from 1 for p_length - length(p_header)) $$;

  create function bench.hash(p_salt text, p_n bigint) returns bytea language sql stable as $$
    select sha256(convert_to(p_salt || p_n, 'UTF8')) $$;

  create function bench.member_since(p_now timestamptz, p_members bigint, p_j bigint) returns timestamptz language sql stable as $$
    select p_now - interval '1 day' - interval '${SPAN_DAYS} days' * ((p_members - p_j)::float8 / p_members) $$;

  create function bench.members(p_first bigint, p_last bigint)
  returns table (n bigint, j bigint, id uuid, account_id uuid, link_id uuid, since timestamptz) language sql stable as $$
    select m.n, m.j, bench.v7(m.since, 'm', m.n), bench.v7(m.since, 'a', m.n), bench.v7(m.since, 'l', m.n), m.since
      from (select g as n, g - l.first_member as j, bench.member_since(l.now, l.members, g - l.first_member) as since
              from bench.load l, generate_series(p_first, p_last) g) m $$;

  create function bench.cards(p_first bigint, p_last bigint)
  returns table (n bigint, id uuid, tx_id uuid, number bigint, place integer, amount bigint, status text, issued_at timestamptz,
                 issued_on date, expires_on date, used_at timestamptz, voided_at timestamptz, expired_at timestamptz,
                 owner bigint, phone bigint) language sql stable as $$
    select c.n, bench.v7(c.issued_at, 'c', c.n), bench.v7(c.issued_at, 't', c.n),
           (c.n * 2654435761) & 1099511627775, (array[1, 1, 1, 1, 1, 1, 1, 2, 2, 3])[c.n % 10 + 1],
           10000 + c.n % 91 * 1000, d.status, c.issued_at, e.issued_on, e.expires_on,
           case when d.status = 'used' then c.used_at end, case when d.status = 'voided' then c.voided_at end,
           case when d.status = 'expired' then (e.expires_on + 1 + time '00:10') at time zone 'Asia/Seoul' end,
           case when c.n % 100 = 7 then 0 else c.n * 48271 % greatest(c.i * l.members / l.cards, 1) end,
           case when c.n % 1000 = 3 then 0 else 1 + c.n % (l.cards / 3 + 1) end
      from bench.load l
     cross join lateral (
             select g as n, g - l.first_card as i, g * 7919 % 10 as fate, x.at as issued_at,
                    x.at + make_interval(secs => (g * 104729 % 5184000)::float8) as used_at,
                    x.at + interval '1 hour' as voided_at
               from generate_series(p_first, p_last) g
              cross join lateral (select l.now - interval '${SPAN_DAYS} days'
                                        * ((l.cards - (g - l.first_card))::float8 / l.cards) as at) x) c
     cross join lateral (select (c.issued_at at time zone 'Asia/Seoul')::date as issued_on,
                                ((c.issued_at at time zone 'Asia/Seoul')::date + interval '12 months')::date as expires_on) e
     cross join lateral (select case when c.fate < 5 and c.used_at < l.now then 'used'
                                     when c.fate = 5 and c.voided_at < l.now then 'voided'
                                     when e.expires_on < l.today - 1 then 'expired' else 'issued' end as status) d $$;
`
