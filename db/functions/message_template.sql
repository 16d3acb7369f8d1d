-- For an older release, which reads and writes the first version of its templates here while both run.
create or replace view message_template as
  select partner_id, provider, purpose, language, template_id from template_registration where version = 1;
