-- A new link of a frozen member, or one that would be opened again, is frozen. The key share waits for a freeze that is
-- under way, and a freeze waits for it; of a link that is there, the link's own lock does that.
create or replace function keep_links_frozen() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform 1 from member where id = new.member_id for key share;
  end if;
  if exists (select from member_freeze where member_id = new.member_id and thawed_at is null) then
    new.status := 'frozen';
  end if;
  return new;
end $$;
