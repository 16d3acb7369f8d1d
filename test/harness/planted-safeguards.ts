// Safeguarded funds that two people did not agree on, each with the check that must find it.
const ID = `'00000000-0000-7000-8000-00000000000d'::uuid`
const request = (asOf: string) => `
  insert into change_request (id, kind, subject, payload, payload_hash, basis, maker, reason, created_at, expires_at, status, checker,
                              decided_at, executed_hash)
  select ${ID}, 'safeguard', 'Hanbit Bank', p, sha256(convert_to(p, 'UTF8')), '{}', 'cli:me', 'x', service_now(),
         service_now() + interval '1 day', 'executed', 'cli:you', service_now(), sha256(convert_to(p, 'UTF8'))
    from (select '{"asOf":"' || ${asOf} || '","method":"trust","reference":"T-1","won":"1000"}' as p) p;`
const fund = (asOf: string, won: number) => `
  insert into safeguarded_fund (id, institution, method, as_of, won, reference, at)
  values (${ID}, 'Hanbit Bank', 'trust', ${asOf}, ${won}, 'T-1', service_now());`
const BEFORE = `(date '2026-01-05')`
const TODAY = 'seoul_date(service_now())'

export const SAFEGUARD_MISTAKES: [check: string, mistake: string][] = [
  ['safeguarded_fund_took_two_people', request(BEFORE) + fund(BEFORE, 999_999)],
  ['agreed_safeguarded_fund_is_there', request(BEFORE)],
  ['safeguarded_fund_is_of_a_day_that_was_over', request(TODAY) + fund(TODAY, 1_000)],
]
