-- Keeps how long a partner's cards are valid, and since when. `verify` recomputes the end of every card from these rows.
create or replace function record_validity() returns trigger language plpgsql as $$
begin
  insert into partner_validity (partner_id, months, since) values (new.id, new.validity_months, service_now());
  return null;
end $$;
