-- Which accounts a transfer may join, what of a card never changes, and what `verify` needs to recompute the rest.

-- How long a partner's cards were valid, and from when: by this the end of every card can be recomputed.
create table partner_validity (
  id          integer generated always as identity primary key,
  partner_id  integer not null references partner (id),
  months      integer not null,
  since       timestamptz not null
);
create index partner_validity_of_partner on partner_validity (partner_id, since);
create trigger partner_validity_is_final before update or delete on partner_validity
  for each row execute function refuse_change();
create trigger partner_validity_is_final_whole before truncate on partner_validity execute function refuse_change();
-- Nobody changes one between what is read here and the triggers. Purchases read partners all the same.
lock table partner in share row exclusive mode;
-- Of the time before only the values are known, from the audit log: any of them may be an older card's.
insert into partner_validity (partner_id, months, since)
  select p.id, p.validity_months, '-infinity'::timestamptz from partner p
  union
  select p.id, (e.details ->> 'validityMonths')::integer, '-infinity'::timestamptz
    from partner p join audit_entry e on e.subject = p.code
   where e.action in ('partner.add', 'partner.set') and e.details ->> 'validityMonths' ~ '^\d{2,3}$';
insert into partner_validity (partner_id, months, since)
  select p.id, p.validity_months, clock_timestamp() + i.clock_offset from partner p cross join installation i;
create function record_validity() returns trigger language plpgsql as $$
begin
  insert into partner_validity (partner_id, months, since) values (new.id, new.validity_months, service_now());
  return null;
end $$;
create trigger partner_validity_begins after insert on partner for each row execute function record_validity();
create trigger partner_validity_changes after update of validity_months on partner for each row
  when (old.validity_months <> new.validity_months) execute function record_validity();

-- The rule itself. Pure, so that the trigger and `verify` ask the same question.
create function transfer_may_join(p_kind text, p_asset text, p_debit text, p_credit text)
returns boolean language sql immutable as $$
  select case p_kind
    when 'issue' then p_debit = 'partner_receivable' and p_credit = 'outstanding_cards'
    when 'void' then p_debit = 'outstanding_cards' and p_credit = 'partner_receivable'
    when 'expire' then p_debit = 'outstanding_cards' and p_credit = 'expired_cards'
    when 'redeem' then p_debit = 'outstanding_cards' and p_credit = 'holding'
    when 'grant' then p_debit = 'sandbox_grants' and p_credit = 'holding'
    when 'buy' then case when p_asset in ('XAU', 'XAG') then p_debit = 'trading' and p_credit = 'holding'
                         else p_debit = 'holding' and p_credit = 'trading' end
    when 'sell' then case when p_asset in ('XAU', 'XAG') then p_debit = 'holding' and p_credit = 'trading'
                          else p_debit = 'trading' and p_credit = 'holding' and p_asset = 'KRW' end
    when 'withdraw' then p_debit = 'holding' and p_credit = 'withdrawals'
    when 'withdraw_back' then p_debit = 'withdrawals' and p_credit = 'holding'
    when 'withdraw_paid' then p_debit = 'withdrawals' and p_credit = 'bank'
    when 'join' then p_debit = 'holding' and p_credit = 'holding'
    when 'waive' then p_debit = 'holding' and p_credit = 'trading'
    else false end
$$;

-- Once per statement, however many transfers it posts, and once per pair of accounts: a batch of purchases has one. The
-- offset keeps the accounts probes of their index; joined, the planner might read what all people hold.
create function refuse_strange_transfers() returns trigger language plpgsql as $$
declare
  v_fine  boolean;
  v_join  boolean;
begin
  select bool_and(coalesce(transfer_may_join(k.kind, k.asset, k.debit, k.credit), false)), bool_or(k.kind = 'join')
    into v_fine, v_join
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
  return null;
end $$;

-- The moving average, played back: what each sale's metal had cost. The state is [that cost, then by account: its id, what
-- it holds, what that cost]. One run is over what a member and the member's links moved of one metal, in order.
create function replay_cost_step(
  p_state numeric[], p_kind text, p_debit bigint, p_credit bigint, p_amount bigint, p_cost bigint
) returns numeric[] language plpgsql immutable as $$
declare
  v_from   integer;
  v_to     integer;
  v_moved  numeric := 0;
begin
  p_state[1] := null;
  for i in 2 .. coalesce(array_length(p_state, 1), 1) by 3 loop
    if p_state[i] = p_debit then v_from := i; end if;
    if p_state[i] = p_credit then v_to := i; end if;
  end loop;
  if p_kind in ('buy', 'grant', 'join') and v_to is null then
    v_to := coalesce(array_length(p_state, 1), 1) + 1;
    p_state[v_to : v_to + 2] := array[p_credit, 0, 0];
  end if;
  if p_kind in ('sell', 'join', 'waive') and v_from is not null then
    if p_kind = 'sell' then
      p_state[1] := ceil(p_state[v_from + 2] * p_amount / nullif(p_state[v_from + 1], 0));
      v_moved := p_cost;
    else
      v_moved := p_state[v_from + 2];
    end if;
    p_state[v_from + 1] := p_state[v_from + 1] - p_amount;
    p_state[v_from + 2] := p_state[v_from + 2] - v_moved;
  end if;
  if v_to is not null and p_kind in ('buy', 'grant', 'join') then
    p_state[v_to + 1] := p_state[v_to + 1] + p_amount;
    p_state[v_to + 2] := p_state[v_to + 2] + case p_kind when 'buy' then p_cost when 'join' then v_moved else 0 end;
  end if;
  return p_state;
end $$;
create aggregate replay_cost(text, bigint, bigint, bigint, bigint) (
  sfunc = replay_cost_step, stype = numeric[], initcond = '{}'
);

-- Last, since purchases wait for what is done to these tables.
create trigger transfer_joins after insert on transfer referencing new table as fresh
  for each statement execute function refuse_strange_transfers();

-- What a card was sold as, and its one use, stay.
create trigger gift_card_is_final before update on gift_card for each row
  when ((old.id, old.tx_id, old.number, old.partner_id, old.api_key_id, old.amount, old.issued_at, old.issued_on, old.expires_on)
        is distinct from
        (new.id, new.tx_id, new.number, new.partner_id, new.api_key_id, new.amount, new.issued_at, new.issued_on, new.expires_on)
        or old.used_at is not null and (old.used_at, old.used_by) is distinct from (new.used_at, new.used_by)
        or old.voided_at is not null and old.voided_at is distinct from new.voided_at)
  execute function refuse_change();
create trigger refund_policy_is_final_whole before truncate on refund_policy execute function refuse_change();
create trigger withdrawal_stays_whole before truncate on withdrawal execute function refuse_change();
