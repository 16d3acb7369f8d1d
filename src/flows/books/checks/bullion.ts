// The house's metal: each trade is a request that two people agreed on, and moved once what that request says. Each returns the
// rows that break it.
export const BULLION_CHECKS = {
  bullion_took_two_people: `
    select b.id::text as id from bullion_trade b cross join installation i
      left join change_request r on r.id = b.id and r.kind = 'bullion' and r.status = 'executed' and r.subject = b.metal
                                and (r.checker <> r.maker or r.single_person)
                                and r.payload::jsonb = jsonb_build_object('side', b.side, 'units', b.units::text,
                                                                          'won', b.won::text, 'reference', b.reference)
                                and r.decided_at between b.at - i.clock_offset and b.at + i.clock_offset
     where r.id is null`,
  agreed_bullion_is_there: `
    select r.id::text as id from change_request r left join bullion_trade b on b.id = r.id
     where r.kind = 'bullion' and r.status = 'executed' and b.id is null`,
  bullion_agrees_with_its_transfers: `
    select b.id::text as id from bullion_trade b cross join installation i
      left join transfer t on t.group_id = b.id and t.kind = 'bullion_' || b.side
                          and t.at between b.at - i.clock_offset and b.at + i.clock_offset
     group by b.id
    having count(t.id) <> 2 or count(*) filter (where t.amount = b.units and t.asset = b.metal) <> 1
        or count(*) filter (where t.amount = b.won and t.asset = 'KRW') <> 1`,
  bullion_transfer_has_its_trade: `
    select t.id::text as id from transfer t left join bullion_trade b on b.id = t.group_id
     where t.kind in ('bullion_buy', 'bullion_sell') and b.id is null`,
  inventory_is_what_was_bought: `
    select a.asset as id from account a
      left join (select metal as asset, sum(case side when 'buy' then units else -units end) as held
                   from bullion_trade group by metal
                 union all select 'KRW', sum(case side when 'buy' then won else -won end) from bullion_trade) b on b.asset = a.asset
     where a.kind = 'inventory' and a.balance <> -coalesce(b.held, 0)`,
} as const
