-- A card's last day moves once, while the card is open, and only as its extension says.
create or replace function refuse_moved_end() returns trigger language plpgsql as $$
begin
  if old.status <> 'issued' or new.status <> 'issued' or not exists (
       select from card_extension x
        where x.card_id = new.id and x.from_day = old.expires_on and x.to_day = new.expires_on) then
    raise exception 'the last day of a card moves by its extension alone' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
