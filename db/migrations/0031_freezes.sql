-- An operator can freeze a member: nobody logs in as that member, nothing of theirs moves, no partner opens their web view,
-- until the member is thawed. And what support finds people by: keyed hashes of names and phone numbers.

-- When, and by whom. Why is in the audit log. The moments are the clock's after every lock was had, not the transaction's
-- beginning: whatever moved before has an earlier time, whatever is refused had a later one.
create table member_freeze (
  id         uuid primary key,
  member_id  uuid not null,
  frozen_at  timestamptz not null,
  frozen_by  text not null,
  thawed_at  timestamptz,
  thawed_by  text,
  check ((thawed_at is null) = (thawed_by is null)),
  check (thawed_at >= frozen_at)
);
create unique index member_freeze_open on member_freeze (member_id) where thawed_at is null;
create index member_freeze_of_member on member_freeze (member_id, frozen_at);
create trigger member_freeze_stays before delete on member_freeze for each row execute function refuse_change();
create trigger member_freeze_stays_whole before truncate on member_freeze execute function refuse_change();
create trigger member_freeze_is_final before update on member_freeze for each row
  when (old.thawed_at is not null
        or (old.id, old.member_id, old.frozen_at, old.frozen_by) is distinct from (new.id, new.member_id, new.frozen_at, new.frozen_by))
  execute function refuse_change();

-- On the rows that are read or locked anyway, so that no session and no lookup asks one more question. A link that the
-- operator suspended or the member refused stays what it is.
alter table member_account add column frozen_at timestamptz;
alter table partner_user
  drop constraint partner_user_status_check,
  add constraint partner_user_status_check check (status in ('active', 'suspended', 'refused', 'frozen')) not valid;

-- A new link of a frozen member, or one that would be opened again, is frozen. The key share waits for a freeze that is
-- under way, and a freeze waits for it; of a link that is there, the link's own lock does that.
create function keep_links_frozen() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform 1 from member where id = new.member_id for key share;
  end if;
  if exists (select from member_freeze where member_id = new.member_id and thawed_at is null) then
    new.status := 'frozen';
  end if;
  return new;
end $$;
create trigger partner_user_made_frozen before insert on partner_user
  for each row when (new.status = 'active') execute function keep_links_frozen();
create trigger partner_user_stays_frozen before update of status on partner_user
  for each row when (new.status = 'active' and old.status <> 'active') execute function keep_links_frozen();

-- Nobody gets around a freeze by signing up.
create function refuse_frozen_account() returns trigger language plpgsql as $$
begin
  perform 1 from member where id = new.member_id for key share;
  if exists (select from member_freeze where member_id = new.member_id and thawed_at is null) then
    raise exception 'the member is frozen' using errcode = 'check_violation', constraint = 'member_is_frozen';
  end if;
  return new;
end $$;
create trigger member_account_not_frozen before insert on member_account
  for each row execute function refuse_frozen_account();

-- A payout leaves the service: it is neither approved nor paid while its member is frozen. Whoever settles one holds its lock,
-- and so does a freeze.
create function refuse_frozen_payout() returns trigger language plpgsql as $$
begin
  if exists (select from member_freeze where member_id = new.holder_id and thawed_at is null) then
    raise exception 'the member is frozen' using errcode = 'check_violation', constraint = 'member_is_frozen';
  end if;
  return new;
end $$;
create trigger withdrawal_not_frozen before update of status on withdrawal
  for each row when (new.status in ('approved', 'paid') and old.status <> new.status)
  execute function refuse_frozen_payout();

-- As before, and: what a member moves does not move while the member is frozen. Whoever posts a transfer holds the accounts'
-- locks, and a freeze takes them all; a holder without accounts has nothing to move, and a first card waits for the account
-- that a freeze opens. What comes back from a withdrawal is the operator's refusal or the member's stop.
create or replace function refuse_strange_transfers() returns trigger language plpgsql as $$
declare
  v_fine    boolean;
  v_join    boolean;
  v_member  boolean;
begin
  select bool_and(coalesce(transfer_may_join(k.kind, k.asset, k.debit, k.credit), false)), bool_or(k.kind = 'join'),
         bool_or(k.kind in ('redeem', 'buy', 'sell', 'withdraw', 'join', 'waive'))
    into v_fine, v_join, v_member
    from (select t.kind, t.asset, (select a.kind from account a where a.id = t.debit_account) as debit,
                 (select a.kind from account a where a.id = t.credit_account) as credit
            from (select distinct kind, asset, debit_account, credit_account from fresh) t offset 0) k;
  -- Between a member and one of the member's own links, and nobody else.
  if v_fine and v_join then
    v_fine := not exists (
      select from (select (select a.holder_id from account a where a.id = t.debit_account) as giver,
                          (select a.holder_id from account a where a.id = t.credit_account) as taker
                     from fresh t where t.kind = 'join' offset 0) h
       where (select count(*) from partner_user u where u.id = h.giver and u.member_id = h.taker)
           + (select count(*) from partner_user u where u.id = h.taker and u.member_id = h.giver) = 0);
  end if;
  if not v_fine then
    raise exception 'a transfer of this kind does not join these accounts'
      using errcode = 'check_violation', constraint = 'transfer_joins';
  end if;
  -- Hardly anybody is frozen: then this is one look at an index that has nothing in it.
  if v_member and exists (select from member_freeze where thawed_at is null) then
    perform 1 from (select a.holder_id from fresh t
                     cross join lateral (select a.holder_id from account a where a.id = t.debit_account
                                         union all
                                         select a.holder_id from account a where a.id = t.credit_account) a
                     where t.kind in ('redeem', 'buy', 'sell', 'withdraw', 'join', 'waive')
                       and a.holder_id is not null offset 0) h
     where exists (select from member_freeze f
                    where f.thawed_at is null
                      and f.member_id = coalesce((select u.member_id from partner_user u where u.id = h.holder_id),
                                                 h.holder_id));
    if found then
      raise exception 'the member is frozen' using errcode = 'check_violation', constraint = 'member_is_frozen';
    end if;
  end if;
  return null;
end $$;

-- Keyed hashes of the name and the phone number in the details, under the key that is named. Null until the worker has
-- looked at the row: rows of before, and those written by a release that does not know of it, are indexed while the
-- service goes on.
alter table partner_user
  add column phone_index  bytea,
  add column name_index   bytea,
  add column search_key   text,
  add constraint partner_user_search_check
    check ((search_key is null) = (phone_index is null) and (search_key is null) = (name_index is null)) not valid;
alter table member_account
  add column phone_index  bytea,
  add column name_index   bytea,
  add column search_key   text,
  add constraint member_account_search_check
    check ((search_key is null) = (phone_index is null) and (search_key is null) = (name_index is null)) not valid;

-- Details that are others are looked at again; erased ones are found no more. A link says when its details were told; an
-- account that is only sealed anew is looked at once more, which does no harm.
create function forget_search_index() returns trigger language plpgsql as $$
begin
  new.phone_index := null;
  new.name_index := null;
  new.search_key := null;
  return new;
end $$;
create trigger partner_user_told_otherwise before update of details on partner_user
  for each row when (new.details_at is distinct from old.details_at) execute function forget_search_index();
create trigger member_account_told_otherwise before update of details on member_account
  for each row when (new.details is distinct from old.details) execute function forget_search_index();
