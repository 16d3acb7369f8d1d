-- The house account this connection writes to: stable per connection, different between busy ones.
create or replace function outstanding_account() returns bigint language sql stable
  as $$ select id from account
        where kind = 'outstanding_cards' and asset = 'KRW_POINT' and partner_id is null
          and shard = (pg_backend_pid() % 16)::smallint $$;
