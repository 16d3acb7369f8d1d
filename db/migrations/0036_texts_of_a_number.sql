-- All texts that went to a number in a day (texts), also those whose code was right.
alter table guess_count drop constraint guess_count_scope_check;
alter table guess_count add constraint guess_count_scope_check
  check (scope in ('account', 'texts', 'address', 'block', 'site', 'all')) not valid;
