-- The id of the key that sealed a value, which stands at its beginning (src/base/crypto/vault.ts).
create or replace function sealed_under(value bytea) returns text language sql immutable
  as $$ select convert_from(substring(value from 2 for get_byte(value, 0)), 'UTF8') $$;
