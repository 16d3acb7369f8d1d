-- Where something that is meant for a holder belongs at this moment: with the member, once the member has said anything
-- about the link. Every flow that credits a holder asks here first, before it locks accounts. A decision waits for the
-- shared lock of what is under way, and what comes later sees the decision.
create or replace function holder_now(p_holder uuid) returns uuid language plpgsql as $$
declare
  v_holder uuid;
begin
  select link_holder(confirmed or status = 'refused', member_id, id) into v_holder
    from partner_user where id = p_holder for share;
  return coalesce(v_holder, p_holder);
end $$;
