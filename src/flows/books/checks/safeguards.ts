// Funds that were recorded as safeguarded: each is a request that two people agreed on, and says what that request says. Each
// returns the rows that break it.
export const SAFEGUARD_CHECKS = {
  safeguarded_fund_took_two_people: `
    select f.id::text as id from safeguarded_fund f cross join installation i
      left join change_request r on r.id = f.id and r.kind = 'safeguard' and r.status = 'executed' and r.subject = f.institution
                                and (r.checker <> r.maker or r.single_person)
                                and r.payload::jsonb = jsonb_build_object('method', f.method, 'asOf', f.as_of::text,
                                                                          'won', f.won::text, 'reference', f.reference)
                                and r.decided_at between f.at - i.clock_offset and f.at + i.clock_offset
     where r.id is null`,
  agreed_safeguarded_fund_is_there: `
    select r.id::text as id from change_request r left join safeguarded_fund f on f.id = r.id
     where r.kind = 'safeguard' and r.status = 'executed' and f.id is null`,
  safeguarded_fund_is_of_a_day_that_was_over: `
    select id::text as id from safeguarded_fund where as_of >= seoul_date(at)`,
} as const
