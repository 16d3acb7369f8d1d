import type pg from 'pg'
import type { Vault } from '#base/crypto/vault.ts'
import { newId } from '#base/ids.ts'
import { createPasswords } from '#modules/accounts/password.ts'
import { newSessionId } from '#modules/sessions/rules.ts'
import { asSealed } from '../sealed.ts'
import { withClient } from '../sql.ts'

export interface BenchMember {
  holderId: string
  session: string
  loginId: string
}

export const PASSWORD = 'a password of the benchmark'

const PEOPLE = `
  create temp table person on commit drop as
    select n, member_id, account_id, details, session, login_id, service_now() as at
      from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::bytea[], $5::text[])
           with ordinality as p (member_id, account_id, details, session, login_id, n)`

const MEMBERS = 'insert into member (id, ci, created_at) select member_id, $1, at from person'

const ACCOUNTS = `
  insert into member_account (id, member_id, login_id, password, password_changed_at, details, created_at, logins_after)
  select account_id, member_id, login_id, $1, at, details, at, at - interval '1 second' from person`

const REST = [
  "insert into member_ci (key_id, hmac, member_id) select 'i1', sha256(int8send(n)), member_id from person",
  `insert into member_consent (account_id, terms_id, agreed, at)
   select account_id, terms_id, true, at from person, unnest(array['service', 'privacy']) terms_id`,
  `insert into audit_entry (at, actor, action, subject)
   select at, 'member', 'member.signup', account_id::text from person`,
  `insert into web_session (hash, account_id, created_at, seen_at) select session, account_id, at, at from person`,
  // Enough of everything for every order there will be.
  `with opened as (
     insert into account (kind, asset, holder_id, floor, balance)
     select 'holding', asset, member_id, 0, 100000000 from person, unnest(array['KRW_POINT', 'KRW', 'XAU', 'XAG']) asset
     returning id, asset, balance),
   posted as (
     insert into transfer (group_id, kind, asset, amount, debit_account, credit_account, at)
     select uuidv7(), 'grant', o.asset, o.balance, g.id, o.id, service_now()
       from opened o join account g on g.kind = 'sandbox_grants' and g.asset = o.asset
     returning debit_account, amount)
   update account set balance = balance - granted.amount
     from (select debit_account, sum(amount) as amount from posted group by 1) granted
    where id = granted.debit_account`,
]

// Members with an account, signed in, written set by set as sign-ups and grants would have left them, so that `verify`
// holds. Names are sealed for their rows, as every answer opens one.
export async function loadMembers(
  connection: pg.ClientConfig,
  vault: Vault,
  count: number,
): Promise<BenchMember[]> {
  const people = Array.from({ length: count }, (_, n) => {
    const { id, hash } = newSessionId()
    const accountId = newId<'member account'>()
    const details = vault.seal({ table: 'member_account', column: 'details', row: accountId }, DETAILS)
    return {
      holderId: newId<'member'>(),
      accountId,
      details,
      session: id.reveal(),
      hash,
      loginId: `bench${n}`,
    }
  })
  const password = await createPasswords().hash(PASSWORD) // the same of all: it costs 25 ms
  return withClient(connection, async (client) => {
    await client.query('begin')
    await client.query(PEOPLE, [
      people.map((p) => p.holderId),
      people.map((p) => p.accountId),
      people.map((p) => p.details),
      people.map((p) => p.hash),
      people.map((p) => p.loginId),
    ])
    await client.query(MEMBERS, [asSealed(Buffer.alloc(119, 0x5a))]) // the size of a CI
    await client.query(ACCOUNTS, [password])
    for (const statement of REST) await client.query(statement)
    await client.query('commit')
    return people.map(({ holderId, session, loginId }) => ({ holderId, session, loginId }))
  })
}

// Of a made-up person, whom every account is.
export const DETAILS = JSON.stringify({
  name: '홍길동',
  birthday: '19900131',
  nationality: 'K',
  mdn: '01020000000',
  gender: 'M',
})
