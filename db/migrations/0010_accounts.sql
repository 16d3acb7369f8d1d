-- The member's own side: an account with an id and a password, sessions and devices, identity verified, guesses counted,
-- and what the member says about each partner's link.

-- A member who signed up. Closed accounts stay: the books name their member. Login ids are never given twice.
create table member_account (
  id                   uuid primary key,
  member_id            uuid not null,
  login_id             text not null unique check (login_id ~ '^[a-z][a-z0-9_.-]{3,29}$'),
  password             text check (password like '$argon2id$%'), -- erased with the closing
  password_changed_at  timestamptz not null,
  -- Name, birthday, nationality, mobile number and gender, as verified: sealed.
  details              bytea,
  created_at           timestamptz not null,
  closed_at            timestamptz,
  -- Sessions of an earlier moment are over.
  logins_after         timestamptz not null,
  check ((closed_at is null) = (password is not null)),
  check (closed_at is not null or details is not null)
);
create unique index member_account_open on member_account (member_id) where closed_at is null;
create index member_account_to_erase on member_account (closed_at) where closed_at is not null and details is not null;
create trigger member_account_stays before delete on member_account for each row execute function refuse_change();
create trigger member_account_stays_whole before truncate on member_account execute function refuse_change();

-- What a member agreed to, and when: the newest row of a terms id counts.
create table member_consent (
  id          bigint generated always as identity primary key,
  account_id  uuid not null,
  terms_id    text not null check (terms_id in ('service', 'privacy', 'marketing')),
  agreed      boolean not null,
  at          timestamptz not null
);
create index member_consent_of_account on member_consent (account_id, terms_id, id);
create trigger member_consent_is_final before update or delete on member_consent
  for each row execute function refuse_change();
create trigger member_consent_is_final_whole before truncate on member_consent execute function refuse_change();

-- One kind of session for both doors: a partner's hash key, or an id and a password.
alter table web_session
  alter column partner_user_id drop not null,
  add column id            uuid not null default gen_random_uuid(),
  add column account_id    uuid,
  add column device_label  text not null default '' check (length(device_label) <= 60),
  -- Identity has to be verified before anything that needs trust; and when it was.
  add column must_verify   boolean not null default false,
  add column verified_at   timestamptz,
  add column device_hash   bytea check (length(device_hash) = 32),
  -- Opened in a partner's frame: its cookies are of the kind that is sent there.
  add column framed        boolean not null default false,
  add constraint web_session_door check ((partner_user_id is null) <> (account_id is null));
create unique index web_session_id on web_session (id);
create index web_session_of_account on web_session (account_id) where account_id is not null;
create index web_session_of_link on web_session (partner_user_id) where partner_user_id is not null;

-- Browsers that have been trusted: the first one of a link, and those in which identity was verified.
create table device (
  hash        bytea not null check (length(hash) = 32),
  owner_id    uuid not null, -- a link or an account
  first       boolean not null default false,
  trusted_at  timestamptz not null,
  seen_at     timestamptz not null,
  primary key (owner_id, hash)
);
-- Of two that enter at once with a link's first key, one is the first.
create unique index device_first on device (owner_id) where first;
create index device_age on device (seen_at) where not first;

-- A verification that somebody began. What the carrier said is kept sealed until it is used, an hour at most.
create table identity_verification (
  id            uuid primary key,
  purpose       text not null check (purpose in ('sign_up', 'recover', 'step_up')),
  session_id    uuid, -- of a step-up
  provider      text not null,
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  mdn           bytea,                      -- sealed: to send another code to
  sent_at       timestamptz not null,       -- the last text
  tries         smallint not null default 0 check (tries >= 0), -- codes that were wrong, or are being looked at
  refusals      smallint not null default 0, -- login ids that were taken already
  confirmed_at  timestamptz,
  person        bytea,                      -- sealed
  used_at       timestamptz,
  check ((purpose = 'step_up') = (session_id is not null)),
  check (used_at is null or person is null)
);
create index identity_verification_age on identity_verification (created_at);

-- Failures only, in windows of ten minutes, by a keyed hash of whom they are counted against.
create table guess_count (
  kind      text not null check (kind in ('pin', 'login', 'identity')),
  scope     text not null check (scope in ('account', 'address', 'all')),
  subject   bytea not null,
  bucket    timestamptz not null,
  failures  integer not null check (failures > 0),
  primary key (kind, scope, subject, bucket)
);
create index guess_count_age on guess_count (bucket);

-- A link that its member has refused opens nothing, like a suspended one; only the member can take that back.
alter table partner_user
  drop constraint partner_user_status_check,
  add constraint partner_user_status_check check (status in ('active', 'suspended', 'refused')) not valid,
  add column decided_at timestamptz;

-- Everything that the member's side moves, and where to.
alter table account drop constraint account_kind_check;
alter table account add constraint account_kind_check check
  (kind in ('partner_receivable', 'outstanding_cards', 'expired_cards', 'holding', 'sandbox_grants',
            'trading', 'withdrawals', 'bank')) not valid;
-- What was paid for the metal in a holding, by moving average.
alter table account
  add column cost bigint not null default 0,
  add constraint account_cost_check check (cost >= 0 and (cost = 0 or (kind = 'holding' and asset in ('XAU', 'XAG')))) not valid;
alter table transfer drop constraint transfer_kind_check;
alter table transfer add constraint transfer_kind_check check
  (kind in ('issue', 'void', 'expire', 'redeem', 'grant', 'buy', 'sell', 'withdraw', 'withdraw_back', 'withdraw_paid',
            'join', 'waive')) not valid;
-- Where something that is meant for a holder belongs at this moment: with the member, once the member has said anything
-- about the link. The shared lock makes a decision wait for what is under way, and what comes later see the decision:
-- every flow that credits a holder asks here first, before it locks accounts.
create function holder_now(p_holder uuid) returns uuid language plpgsql as $$
declare
  v_holder uuid;
begin
  select case when confirmed or status = 'refused' then member_id else id end into v_holder
    from partner_user where id = p_holder for share;
  return coalesce(v_holder, p_holder);
end $$;

-- Everything that one holder has goes to another, with what it cost.
create function move_holdings(p_from uuid, p_to uuid, p_group uuid) returns integer
language plpgsql as $$
declare
  v_debits   bigint[];
  v_credits  bigint[];
  v_amounts  bigint[];
  v_costs    bigint[];
  v_held     integer;
  v_before   integer := -1;
begin
  -- Until no more come up: an order that was under way may have opened one. Once all are held, nothing can.
  loop
    perform 1 from account where holder_id = p_from order by id for no key update;
    get diagnostics v_held = row_count;
    exit when v_held = v_before;
    v_before := v_held;
  end loop;
  insert into account (kind, asset, floor, holder_id)
  select 'holding', asset, 0, p_to from account where holder_id = p_from and balance > 0 order by id
  on conflict do nothing;
  perform 1 from account where holder_id = p_to order by id for no key update;
  select array_agg(f.id), array_agg(t.id), array_agg(f.balance), array_agg(f.cost)
    into v_debits, v_credits, v_amounts, v_costs
    from account f join account t on t.holder_id = p_to and t.asset = f.asset
   where f.holder_id = p_from and f.balance > 0;
  if v_debits is null then
    return 0;
  end if;
  perform post_transfers('join', service_now(), array_fill(p_group, array[cardinality(v_debits)]),
                         array_fill(null::uuid, array[cardinality(v_debits)]), v_debits, v_credits, v_amounts);
  update account a set cost = a.cost + c.cost
    from unnest(v_credits, v_costs) as c (id, cost) where a.id = c.id and c.cost > 0;
  update account set cost = 0 where id = any (v_debits) and cost > 0;
  return cardinality(v_debits);
end $$;
