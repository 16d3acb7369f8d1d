// The house's metal, moved or recorded without two people, each with the check that must find it.
const ID = `'00000000-0000-7000-8000-00000000000c'::uuid`
const account = (kind: string, asset: string) =>
  `(select id from account where kind = '${kind}' and asset = '${asset}')`
const move = (asset: string, amount: number) =>
  `select post_transfers('bullion_buy', service_now(), array[${ID}], array[null::uuid],
     array[${account('inventory', asset)}], array[${account('bullion_dealers', asset)}], array[${amount}::bigint]);`
const request = `
  insert into change_request (id, kind, subject, payload, payload_hash, basis, maker, reason, created_at, expires_at, status, checker,
                              decided_at, executed_hash)
  select ${ID}, 'bullion', 'XAU', p, sha256(convert_to(p, 'UTF8')), '{}', 'cli:me', 'x', service_now(),
         service_now() + interval '1 day', 'executed', 'cli:you', service_now(), sha256(convert_to(p, 'UTF8'))
    from (select '{"reference":"A-1","side":"buy","units":"10000","won":"200000"}' as p) p;`
const trade = (units: number) => `
  insert into bullion_trade (id, side, metal, units, won, reference, at)
  values (${ID}, 'buy', 'XAU', ${units}, 200000, 'A-1', service_now());`

export const BULLION_MISTAKES: [check: string, mistake: string][] = [
  ['bullion_took_two_people', request + trade(20_000) + move('XAU', 20_000) + move('KRW', 200_000)],
  ['agreed_bullion_is_there', request],
  ['bullion_agrees_with_its_transfers', request + trade(10_000) + move('XAU', 10_000) + move('KRW', 199_999)],
  ['bullion_transfer_has_its_trade', move('XAU', 10_000)],
  ['inventory_is_what_was_bought', move('XAU', 10_000)],
]
