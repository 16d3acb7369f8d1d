-- outside a transaction: built while purchases go on. Cut off, it is begun again, so each one that was left half built goes.

-- A request sets one price.
drop index concurrently if exists metal_price_of_request;
create unique index concurrently metal_price_of_request on metal_price (request_id);
-- Whether an order names a price, asked of each one that is old enough to go.
drop index concurrently if exists trade_order_of_price;
create index concurrently trade_order_of_price on trade_order (metal, price_at) where price_at is not null;
