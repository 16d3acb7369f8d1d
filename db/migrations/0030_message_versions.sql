-- Message texts have versions: Kakao approves a text word for word, so an operator who has registered the one before goes
-- on sending it. And recipients are told when their card is cancelled.

-- What each provider calls the registered templates. What was there is of the first version.
alter table message_template rename to template_registration;
alter table template_registration drop constraint message_template_partner_id_provider_purpose_language_key;
alter table template_registration drop constraint message_template_purpose_check;
alter table template_registration
  add column version smallint not null default 1 check (version between 1 and 999),
  add constraint template_registration_purpose_check check (purpose in ('gift', 'reminder', 'cancellation')),
  add unique nulls not distinct (partner_id, provider, purpose, language, version);

-- For a release before this one, which reads and writes its one version here while both run.
create view message_template as
  select partner_id, provider, purpose, language, template_id from template_registration where version = 1;

-- The version of the text a message was begun with: tried again, it says the same. Null of one that was not tried, or by a
-- release that knew only the first.
alter table delivery add column text_version smallint;
alter table delivery drop constraint delivery_purpose_check;
alter table delivery add constraint delivery_purpose_check
  check (purpose in ('gift', 'resend', 'reminder', 'cancellation')) not valid;

-- A release before this one ends every message of a cancelled card. The message that tells of it stays queued until a
-- worker of this release takes it.
create function skip_update() returns trigger language plpgsql as $$
begin
  return null;
end $$;
create trigger delivery_of_cancellation_stays before update on delivery for each row
  when (new.purpose = 'cancellation' and new.reason = 'card_voided') execute function skip_update();
