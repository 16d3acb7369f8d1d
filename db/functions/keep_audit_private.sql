-- The private part of an audit entry is sealed anew when keys change, or erased. Erased, it never comes back.
create or replace function keep_audit_private() returns trigger language plpgsql as $$
begin
  if old.sealed is not null and new.id = old.id and new.at = old.at then
    return new;
  end if;
  raise exception '% of % is not allowed', tg_op, tg_table_name using errcode = 'restrict_violation';
end $$;
