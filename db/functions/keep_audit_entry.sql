-- An audit entry never changes, but for one step before it is in the chain: words that were written into it in plain go to
-- audit_private. The releases before wrote them so.
create or replace function keep_audit_entry() returns trigger language plpgsql as $$
begin
  if old.private_id is null and new.private_id is not null and new.private_hash is not null
     and (new.id, new.at, new.actor, new.action, new.subject) = (old.id, old.at, old.actor, old.action, old.subject)
     and new.details = old.details - '{reason,note}'::text[]
     and not exists (select from audit_chain where entry_id = old.id) then
    return new;
  end if;
  raise exception '% of % is not allowed', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;
