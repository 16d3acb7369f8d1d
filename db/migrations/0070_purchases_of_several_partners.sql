-- compatible with 0063

-- Steps of buy_gift_cards, which are steps of write_purchases now and take purchases of several partners.
drop function if exists keep_purchase_keys(integer, timestamptz, bytea[], bytea[], uuid[], uuid[]);
drop function if exists settle_known_purchases(integer, uuid[], uuid[], bigint[], bytea[], bytea[], bigint, bigint);
drop function if exists allot_credit(integer, bigint, bigint[], bytea[], text[]);
drop function if exists issue_gift_cards(integer, timestamptz, integer, bigint, bigint, bigint, text[], uuid[], uuid[], bigint[], bigint[],
                               text[], text, bytea[], bytea[], bytea[], bytea[]);
