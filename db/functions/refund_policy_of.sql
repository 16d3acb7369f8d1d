-- The refund rules that a card bought on this day keeps.
create or replace function refund_policy_of(bought date) returns refund_policy language sql stable
  as $$ select p from refund_policy p where p.effective_from <= bought order by p.effective_from desc limit 1 $$;
