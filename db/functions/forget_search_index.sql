-- Details that are others are looked at again; erased ones are found no more. A link says when its details were told; an
-- account that is only sealed anew is looked at once more, which does no harm.
create or replace function forget_search_index() returns trigger language plpgsql as $$
begin
  new.phone_index := null;
  new.name_index := null;
  new.search_key := null;
  return new;
end $$;
