import type pg from 'pg'
import { asSealed } from './sealed.ts'
import { withClient } from './sql.ts'

// Users of one partner, written set by set as sign_up_partner_users and grants would have left them, so that
// `verify` holds.
const PEOPLE = `
  create temp table person on commit drop as
    select n, uuidv7() as member_id, uuidv7() as link_id, uuidv7()::text as partner_key,
           sha256(int8send(n)) as hash, service_now() as at
      from generate_series(1, $1::bigint) n`

const MEMBERS = 'insert into member (id, ci, created_at) select member_id, $1, at from person'

const INDEX = "insert into member_ci (key_id, hmac, member_id) select 'i1', hash, member_id from person"

const LINKS = `
  insert into partner_user (id, partner_id, partner_key, member_id, confirmed, registered_at, registered_by,
                            logins_after, details, details_hash, index_key, details_at)
  select link_id, $1, partner_key, member_id, true, at, 'bench0000000', at - interval '1 microsecond', $2, hash,
         'i1', at
    from person`

const CONSENTS = `
  insert into consent (partner_user_id, terms_id, agreed, at) select link_id, 'marketing', true, at from person`

const AUDIT = `
  insert into audit_entry (at, actor, action, subject)
  select at, 'bench', 'user.signup', link_id::text from person`

// A third holds nothing, a third points, a third all there is.
const GRANTS = `
  with opened as (
    insert into account (kind, asset, holder_id, floor, balance)
    select 'holding', asset, member_id, 0, 10000 + n
      from person, (values ('KRW_POINT', 1), ('KRW', 2), ('XAU', 2), ('XAG', 2)) granted (asset, from_third)
     where n % 3 >= from_third
    returning id, asset, balance),
  posted as (
    insert into transfer (group_id, kind, asset, amount, debit_account, credit_account, at)
    select uuidv7(), 'grant', o.asset, o.balance, g.id, o.id, service_now()
      from opened o join account g on g.kind = 'sandbox_grants' and g.asset = o.asset
    returning debit_account, amount)
  update account set balance = balance - granted.amount
    from (select debit_account, sum(amount) as amount from posted group by 1) granted
   where id = granted.debit_account`

// Gives the keys of the first `wanted` of them.
export function loadPeople(
  connection: pg.ClientConfig,
  { partnerCode, count, wanted }: { partnerCode: string; count: number; wanted: number },
): Promise<string[]> {
  return withClient(connection, async (client) => {
    await client.query('begin')
    const partner = await client.query('select id from partner where code = $1', [partnerCode])
    const sealed = asSealed(Buffer.alloc(119, 0x5a)) // the size of a CI; details are about as long
    await client.query(PEOPLE, [count])
    await client.query(MEMBERS, [sealed])
    await client.query(INDEX)
    await client.query(LINKS, [partner.rows[0].id, sealed])
    for (const statement of [CONSENTS, AUDIT, GRANTS]) await client.query(statement)
    const { rows } = await client.query<{ key: string }>(
      'select partner_key as key from person order by hash limit $1',
      [wanted],
    )
    await client.query('commit')
    // Done here, so that neither happens by itself while something is measured.
    await client.query(
      'vacuum (analyze) member, member_ci, partner_user, consent, audit_entry, account, transfer',
    )
    await client.query('checkpoint')
    return rows.map((row) => row.key)
  })
}
