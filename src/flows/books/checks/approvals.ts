// What takes two people had two. Each returns the rows that break it. A request is decided on and carried out at one moment;
// only a sandbox's clock can move in between.
export const APPROVAL_CHECKS = {
  request_is_what_was_carried_out: `
    select id::text as id from change_request
     where payload_hash <> sha256(convert_to(payload, 'UTF8'))
        or status = 'executed' and (executed_hash is distinct from payload_hash or checker is null or decided_at > expires_at
                                    or not single_person and (checker = maker or checker_staff = maker_staff))
        or single_person and status <> 'executed'`,
  // One person for two is declared, and only where money is play money.
  one_person_for_two_is_of_a_sandbox: `
    select r.id::text as id from change_request r, installation i where r.single_person and i.mode <> 'sandbox'
    union all
    select w.id::text from withdrawal w, installation i where w.single_person and i.mode <> 'sandbox'`,
  // Asked in the console and approved on the command line: an account and its staff member are one person.
  second_person_is_no_account_of_the_first: `
    select r.id::text as id from change_request r
      join staff_account a on a.bound_at <= r.decided_at
                          and (a.account = r.maker and r.maker_staff is null and a.staff_id = r.checker_staff
                               or a.account = r.checker and r.checker_staff is null and a.staff_id = r.maker_staff)
     where r.status = 'executed' and not r.single_person`,
  agreed_void_is_there: `
    select r.id::text as id from change_request r cross join installation i
      left join gift_card c on c.id::text = r.subject and c.status = 'voided' and c.amount::text = r.payload::jsonb ->> 'amount'
                           and c.voided_at between r.decided_at - i.clock_offset and r.decided_at + i.clock_offset
     where r.kind = 'card_void' and r.status = 'executed' and c.id is null`,
  price_by_hand_took_two_people: `
    select p.metal || ' ' || p.at as id from metal_price p cross join installation i
      left join change_request r on r.id = p.request_id and r.kind = 'price' and r.status = 'executed'
                                and r.subject = p.metal and r.decided_at between p.at - i.clock_offset and p.at + i.clock_offset
                                and r.payload::jsonb ->> 'wonPerGram' = p.won_per_gram::text
     where p.source = 'operator' and p.at > i.two_people_since and r.id is null`,
  terms_for_buyers_took_two_people: `
    select t.id::text as id
      from (select t.*, lag(spread_bps) over w as spread_before, lag(fee_bps) over w as fee_before,
                   lag(max_age_seconds) over w as age_before
              from trading_terms t window w as (partition by metal order by id)) t
     cross join installation i
      left join change_request r on r.id = t.request_id and r.kind = 'terms' and r.status = 'executed'
                                and r.subject = t.metal and r.decided_at between t.at - i.clock_offset and t.at + i.clock_offset
                                and r.payload::jsonb = jsonb_build_object('spreadBps', t.spread_bps, 'feeBps', t.fee_bps,
                                                                          'maxAgeSeconds', t.max_age_seconds)
     where t.at > i.two_people_since and r.id is null
       and (t.spread_bps < t.spread_before or t.fee_bps < t.fee_before or t.max_age_seconds > t.age_before)`,
} as const
