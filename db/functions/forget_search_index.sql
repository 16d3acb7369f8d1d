-- Clears the search index of a person whose details changed. index_people fills it again; erased details are no longer
-- found. A link tells a change by details_at. An account has no such column, so sealing its details anew clears the index
-- too, which does no harm.
create or replace function forget_search_index() returns trigger language plpgsql as $$
begin
  new.phone_index := null;
  new.name_index := null;
  new.search_key := null;
  return new;
end $$;
