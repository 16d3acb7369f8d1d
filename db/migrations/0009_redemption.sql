-- A card is redeemed once: its value becomes its holder's points.

alter table transfer drop constraint transfer_kind_check;
alter table transfer
  add constraint transfer_kind_check check (kind in ('issue', 'void', 'expire', 'redeem', 'grant')) not valid;

-- Whose points it became: a member, or a link that its member has not confirmed.
alter table gift_card add column used_by uuid;
alter table gift_card
  add constraint gift_card_used_by_check check ((status = 'used') = (used_by is not null)) not valid;
