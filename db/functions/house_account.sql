-- The house account of a kind that this connection writes to: stable per connection, different between busy ones.
create or replace function house_account(p_kind text, p_asset text) returns bigint language sql stable
  as $$ select id from account
         where kind = p_kind and kind <> 'holding' and asset = p_asset and partner_id is null
         order by shard = (pg_backend_pid() % 16)::smallint desc limit 1 $$;
