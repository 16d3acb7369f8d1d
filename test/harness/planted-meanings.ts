// What would let every other check pass: names that mean something else, only to who reads as `verify` does. And uniqueness that
// nothing keeps any more. Each names the check that must find it.
type Theft = [check: string, what: string, mistake: string]

const NEVER = `create function never(bigint, numeric) returns boolean language sql immutable as 'select false';
  create function never(numeric, integer) returns boolean language sql immutable as 'select false'`
const UNEQUAL = `create operator <> (leftarg = bigint, rightarg = numeric, function = never);
  create operator <> (leftarg = numeric, rightarg = integer, function = never)`
const PAID = `update account set balance = balance + 1000000 where kind = 'holding' and asset = 'KRW_POINT'`

// Hidden from the snapshot that verify reads.
const SEEN = `current_setting('transaction_isolation') <> 'repeatable read'`

const MEANINGS: [what: string, mistake: string][] = [
  ['an operator that finds no balance wrong', `${NEVER}; ${UNEQUAL}; ${PAID}`],
  [
    'the same as a part of an extension',
    `${NEVER}; ${UNEQUAL}; ${PAID};
     alter extension plpgsql add operator <> (bigint, numeric); alter extension plpgsql add operator <> (numeric, integer)`,
  ],
  [
    'an operator of a domain, in an extension',
    `create domain amount as bigint;
     create function never(amount, numeric) returns boolean language sql immutable as 'select false';
     create operator <> (leftarg = amount, rightarg = numeric, function = never);
     alter extension plpgsql add operator <> (amount, numeric)`,
  ],
  [
    'an operator among PostgreSQL’s own',
    `${NEVER}; create operator pg_catalog.<> (leftarg = bigint, rightarg = numeric, function = never)`,
  ],
  [
    'a function of PostgreSQL with other arguments',
    `create function convert_to(text, text) returns bytea language sql immutable as $$ select '\\x00'::bytea $$`,
  ],
  [
    'an aggregate of an extension that counts nothing',
    `create function count_none(bigint, uuid) returns bigint language sql as 'select 0::bigint';
     create aggregate count(uuid) (sfunc = count_none, stype = bigint);
     alter extension plpgsql add aggregate count(uuid)`,
  ],
  [
    'a cast that changes what a row looks like',
    `create function looks(partner) returns json language sql as $$ select '{}'::json $$;
     create cast (partner as json) with function looks(partner)`,
  ],
  [
    'a table in whose place is a view',
    `alter table api_key rename to api_key_kept;
     create view api_key as select * from api_key_kept where id not like 'Thief%' or ${SEEN}`,
  ],
  [
    'row security that hides rows',
    `alter table api_key enable row level security; alter table api_key force row level security;
     create policy hidden on api_key using (id not like 'Thief%' or ${SEEN})`,
  ],
  ['a policy that waits for row security', `create policy hidden on api_key using (${SEEN})`],
  ['a rule instead of a write', `create rule silent as on insert to audit_entry do instead nothing`],
  ['a table inside of a table', `create table more_keys () inherits (api_key)`],
]

const card = `
  create temporary table twice on commit drop as
    select c.id, c.tx_id, c.amount, c.issued_at, c.used_at, i.debit_account as receivable, i.credit_account as outstanding,
           r.credit_account as holding
      from gift_card c join transfer i on i.card_id = c.id and i.kind = 'issue'
                       join transfer r on r.card_id = c.id and r.kind = 'redeem' limit 1;
  drop index transfer_of_card;
  select post_transfers('issue', issued_at, array[tx_id], array[id], array[receivable], array[outstanding], array[amount]) from twice;
  select post_transfers('redeem', used_at, array[gen_random_uuid()], array[id], array[outstanding], array[holding], array[amount])
    from twice`

export const MEANING_THEFTS: Theft[] = [
  ...MEANINGS.map(([what, mistake]): Theft => ['names_mean_what_they_did', what, mistake]),
  [
    'columns_are_as_they_were',
    'a column in whose place is a function',
    `alter table installation rename column two_people_since to two_people_kept;
     create function two_people_since(installation) returns timestamptz language sql as $$ select 'infinity'::timestamptz $$`,
  ],
  [
    'columns_are_as_they_were',
    'a collation that tells no capitals',
    `create collation alike (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
     alter table partner alter column name type text collate alike`,
  ],
  [
    'columns_are_as_they_were',
    'a maker who may be nobody',
    `alter table change_request alter column maker drop not null`,
  ],
  [
    'columns_are_as_they_were',
    'an amount with a fraction',
    `alter table usage_day alter column used type numeric`,
  ],
  ['card_has_one_transfer_of_a_kind', 'a card that is used twice', card],
  ['unique_indexes_are_in_place', 'an index that lets a card be used twice', `drop index transfer_of_card`],
  [
    'unique_indexes_are_in_place',
    'an index that is unique no more',
    `drop index transfer_of_card; create index transfer_of_card on transfer (card_id, kind)`,
  ],
  [
    'unique_indexes_are_in_place',
    'an index that no longer refuses',
    `update pg_index set indisunique = false where indexrelid = 'api_key_pkey'::regclass`,
  ],
  [
    'unique_indexes_are_in_place',
    'an index of some rows only',
    `drop index transfer_of_card; create unique index transfer_of_card on transfer (card_id, kind) where kind <> 'redeem'`,
  ],
]

// With names of its own, of an extension, or for speed.
export const OPERATORS_OWN = `
  create table account_note (account_id bigint primary key, note text);
  create view account_sum as select kind, sum(balance) as sum from account group by kind;
  create rule account_note_stays as on delete to account_note do instead nothing;
  alter table account_note enable row level security;
  create policy own on account_note using (true);
  create function balance_of_all() returns numeric language sql as 'select sum(balance) from account';
  create schema reporting;
  create function reporting.never(bigint, numeric) returns boolean language sql as 'select false';
  create operator reporting.<> (leftarg = bigint, rightarg = numeric, function = reporting.never);
  create type shade as enum ('light', 'dark');
  create function lower(shade) returns text language sql as $$ select 'light' $$;
  create function is_shade(shade, shade) returns boolean language sql as 'select true';
  create operator === (leftarg = shade, rightarg = shade, function = is_shade);
  alter extension plpgsql add type shade;
  alter extension plpgsql add function lower(shade);
  alter index transfer_of_card set (fillfactor = 80);
  create unique index account_note_once on account_note (note);
  create index transfer_at on transfer (at);
  alter table gift_card add column campaign text`
