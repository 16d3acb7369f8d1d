-- A batch of redemptions in one round trip and one transaction. Outcomes come in the order of the batch: redeemed, again
-- (the same holder asks once more), absent, used, voided, expired. stale_keys is for all of them. No PIN comes twice in a
-- batch: the flow keeps them apart. Locks: cards in id order, accounts in id order, usage rows by partner and day, as
-- everyone takes them.
-- A PIN that no card is indexed by is looked for among the redemptions of the last 30 days. A caller of an old release sends
-- no p_kept_hashes; its redemptions are recognised until the index key changes.
-- Limits and offsets in the laterals keep them probes of an index.
-- The reference model is `decideRedeem`; a property test compares the two.
create or replace function redeem_gift_cards(
  p_epoch integer, p_hashes bytea[], p_next_hashes bytea[], p_holders uuid[], p_groups uuid[],
  p_kept_hashes bytea[] default null
) returns table (outcome text, card_id uuid, partner_id integer, amount bigint, expires_on date, points bigint)
language plpgsql set plan_cache_mode = force_generic_plan set enable_mergejoin = off set enable_hashjoin = off as $$
#variable_conflict use_column
declare
  v_now          timestamptz;
  v_today        date;
  v_epoch        integer;
  v_cards        uuid[];  -- by command; null where there is none
  v_outcomes     text[];
begin
  -- The shared key lock: a rotation waits for it. In another epoch the card's PIN may be indexed under another key.
  perform pg_advisory_xact_lock_shared(key_lock());
  select now() + i.clock_offset, i.key_epoch into strict v_now, v_epoch from installation i;
  if p_epoch <> v_epoch then
    return query select 'stale_keys', null::uuid, null::integer, null::bigint, null::date, null::bigint
                   from generate_series(1, cardinality(p_hashes));
    return;
  end if;
  v_today := seoul_date(v_now);

  -- Whose points they become is settled before anything else: a member may be deciding on a link just now. In order, so that
  -- two batches wait for the same links in the same order.
  select array_agg(h.now_holder order by w.i) into p_holders
    from unnest(p_holders) with ordinality as w (holder, i)
    join (select s.holder, holder_now(s.holder) as now_holder
            from (select distinct u.holder from unnest(p_holders) as u (holder) order by u.holder) s) h on h.holder = w.holder;

  select array_agg(c.id order by w.i) into v_cards
    from unnest(p_hashes, p_next_hashes, p_kept_hashes) with ordinality as w (hash, next, kept, i)
    left join lateral (select g.id from gift_card g where g.pin_index = w.hash
                       union all select g.id from gift_card g where g.pin_index = w.next
                       union all select k.card_id from redemption_key k where k.pin_hash = w.kept limit 1) c on true;
  perform 1 from gift_card g where g.id = any (v_cards) order by g.id for update;

  -- Read after the locks were had, so by what the one before has left.
  select array_agg(case when g.id is null then 'absent'
                        when g.status = 'used' then
                          -- Whoever redeemed it through a link is its member now, if the member has decided on it.
                          case when w.holder in (g.used_by, u.member_id) then 'again' else 'used' end
                        when g.status <> 'issued' then g.status
                        when v_today > g.expires_on then 'expired'
                        else 'redeemed' end order by w.i)
    into v_outcomes
    from unnest(v_cards, p_holders) with ordinality as w (card, holder, i)
    left join lateral (select * from gift_card g where g.id = w.card limit 1) g on true
    left join lateral (select p.member_id from partner_user p where p.id = g.used_by limit 1) u on true;

  if 'redeemed' = any (v_outcomes) then
    perform use_gift_cards(v_now, v_outcomes, v_cards, p_holders, p_groups, p_kept_hashes);
  elsif 'again' = any (v_outcomes) then
    -- As with purchases: an answer that vouches for an earlier commit waits for replication as that did.
    perform pg_logical_emit_message(true, 'ingot', 'replay');
  end if;

  return query
    select w.outcome, g.id, g.partner_id, g.amount, g.expires_on, a.balance
      from unnest(v_outcomes, v_cards, p_holders) with ordinality as w (outcome, card, holder, i)
      left join lateral (select * from gift_card g where g.id = w.card limit 1) g on true
      left join lateral (select a.balance from account a
                          where a.holder_id = w.holder and a.asset = 'KRW_POINT' limit 1) a on true
     order by w.i;
end $$;
