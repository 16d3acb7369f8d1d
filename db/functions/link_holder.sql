-- Whose assets a link means: the member's once the member has confirmed it, before that only what came through the link.
create or replace function link_holder(p_confirmed boolean, p_member uuid, p_link uuid) returns uuid
  language sql immutable
  as $$ select case when p_confirmed then p_member else p_link end $$;
