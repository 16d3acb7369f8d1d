-- A step of redeem_gift_cards: what the commands with the outcome `redeemed` write. Their cards are locked.
create or replace function use_gift_cards(
  p_now timestamptz, p_outcomes text[], p_cards uuid[], p_holders uuid[], p_groups uuid[], p_kept_hashes bytea[]
) returns void language plpgsql as $$
#variable_conflict use_column
declare
  v_today        date := seoul_date(p_now);
  v_outstanding  bigint;
  v_used         uuid[];
  v_by           uuid[];
  v_groups       uuid[];
  v_credits      bigint[];
  v_amounts      bigint[];
begin
  insert into account (kind, asset, floor, holder_id)
  select distinct 'holding', 'KRW_POINT', 0, w.holder
    from unnest(p_outcomes, p_holders) as w (outcome, holder)
   where w.outcome = 'redeemed'
     and not exists (select from account a where a.holder_id = w.holder and a.asset = 'KRW_POINT')
   order by w.holder
  on conflict do nothing;

  select array_agg(g.id order by w.i), array_agg(w.holder order by w.i), array_agg(w.group_id order by w.i),
         array_agg(a.id order by w.i), array_agg(g.amount order by w.i)
    into v_used, v_by, v_groups, v_credits, v_amounts
    from unnest(p_outcomes, p_cards, p_holders, p_groups) with ordinality as w (outcome, card, holder, group_id, i)
   cross join lateral (select g.id, g.amount from gift_card g where g.id = w.card limit 1) g
   cross join lateral (select a.id from account a
                        where a.holder_id = w.holder and a.asset = 'KRW_POINT' limit 1) a
   where w.outcome = 'redeemed';
  -- The PIN is erased with the card's value: a dump of a later day cannot show it. Before the
  -- accounts are locked, since the house's is what other batches wait for.
  update gift_card g set status = 'used', used_at = p_now, used_by = c.holder, pin = null
    from unnest(v_used, v_by) as c (id, holder) where g.id = c.id;
  insert into redemption_key (pin_hash, card_id, created_at)
  select w.kept, w.card, p_now from unnest(p_outcomes, p_cards, p_kept_hashes) as w (outcome, card, kept)
   where w.outcome = 'redeemed' and w.kept is not null
  on conflict do nothing;

  v_outstanding := outstanding_account();
  perform post_transfers('redeem', p_now, v_groups, v_used,
                         array_fill(v_outstanding, array[cardinality(v_used)]), v_credits, v_amounts);

  -- A use counts on its own day, and for the day the card was issued on.
  insert into usage_day as u (partner_id, day, shard, used, used_in_issued)
  select f.partner_id, f.day, (pg_backend_pid() % 4)::smallint, sum(f.used), sum(f.used_in_issued)
    from unnest(v_used) as c (id)
   cross join lateral (select g.partner_id, g.issued_on as day, 0 as used, g.amount as used_in_issued
                         from gift_card g where g.id = c.id
                       union all
                       select g.partner_id, v_today, g.amount, 0 from gift_card g where g.id = c.id offset 0) f
   group by f.partner_id, f.day order by f.partner_id, f.day
  on conflict (partner_id, day, shard) do update
     set used = u.used + excluded.used, used_in_issued = u.used_in_issued + excluded.used_in_issued;
end $$;
