-- Failures of IPv6 addresses are counted by their /64 (address), /56 (block) and /48 (site).
alter table guess_count drop constraint guess_count_scope_check;
alter table guess_count add constraint guess_count_scope_check
  check (scope in ('account', 'address', 'block', 'site', 'all')) not valid;
