-- Which version of the terms somebody agreed to: the day it takes effect. Rows from before name none, and so does a
-- consent that has no text of its own, such as to news and offers.
alter table member_consent add column version text,
  add constraint member_consent_version_check check (version ~ '^\d{4}-\d{2}-\d{2}$') not valid;
