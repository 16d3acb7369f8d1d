import type pg from 'pg'
import type { Vault } from '#base/crypto/vault.ts'
import { newSessionId } from '#modules/sessions/rules.ts'
import { type BenchMember, DETAILS } from '../members/people.ts'
import { withClient } from '../sql.ts'

// Rows picked at random from all there are, so that what is asked for lies anywhere in the tables.
export interface Samples {
  cards: { id: string; number: string }[]
  // Of open cards, as many as were bought for this.
  pins: string[]
  userKeys: string[]
  // Signed in, with points to spend.
  members: BenchMember[]
}

const LOOKED_UP = 5_000
const MEMBERS = 2_000

export function takeSamples(
  connection: pg.ClientConfig,
  vault: Vault,
  { partnerCode, redeemable }: { partnerCode: string; redeemable: number },
): Promise<Samples> {
  return withClient(connection, async (client) => {
    const all = async <Row extends pg.QueryResultRow>(text: string, values: unknown[]) =>
      (await client.query<Row>(text, values)).rows
    const cards = await all<{ id: string; number: string }>(
      `select c.id, c.number::text from gift_card c join partner p on p.id = c.partner_id
        where p.code = $1 order by random() limit $2`,
      [partnerCode, LOOKED_UP],
    )
    const users = await all<{ key: string }>(
      `select u.partner_key as key from partner_user u join partner p on p.id = u.partner_id
        where p.code = $1 order by random() limit $2`,
      [partnerCode, LOOKED_UP],
    )
    const members = await signIn(client, vault)
    return {
      cards,
      pins: await openPins(client, vault, redeemable),
      userKeys: users.map(({ key }) => key),
      members,
    }
  })
}

// Those of the newest cards, which the service has sealed.
async function openPins(client: pg.Client, vault: Vault, count: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string; pin: Buffer }>(
    `select id, pin from gift_card where status = 'issued' and api_key_id <> 'bench0000000' order by id desc limit $1`,
    [count],
  )
  return rows.map(({ id, pin }) => vault.open({ table: 'gift_card', column: 'pin', row: id }, pin))
}

// Details are sealed for their rows, as every answer opens them. The trigger takes a changed row for one to be indexed again:
// it gets its index back.
async function signIn(client: pg.Client, vault: Vault): Promise<BenchMember[]> {
  const { rows } = await client.query<{ id: string; holder: string; login: string }>(
    `select a.id, a.member_id as holder, a.login_id as login
       from account h join member_account a on a.member_id = h.holder_id
      where h.asset = 'KRW_POINT' and h.balance >= 60000 and a.password is not null order by random() limit $1`,
    [MEMBERS],
  )
  const details = rows.map(({ id }) =>
    vault.seal({ table: 'member_account', column: 'details', row: id }, DETAILS),
  )
  const sessions = rows.map(() => newSessionId())
  const ids = rows.map(({ id }) => id)
  await client.query(
    `update member_account a set details = d.details from unnest($1::uuid[], $2::bytea[]) as d (id, details) where a.id = d.id`,
    [ids, details],
  )
  await client.query(
    `update member_account set phone_index = sha256(uuid_send(id)), name_index = sha256(uuid_send(member_id)),
            search_key = (select index_key from installation) where id = any($1::uuid[])`,
    [ids],
  )
  // As it is after five years: what is sealed there is noise, and a member's list of withdrawals opens it.
  await client.query('update withdrawal set destination = null where holder_id = any($1::uuid[])', [
    rows.map(({ holder }) => holder),
  ])
  await client.query(
    `insert into web_session (hash, account_id, created_at, seen_at)
     select s.hash, s.id, service_now(), service_now() from unnest($1::uuid[], $2::bytea[]) as s (id, hash)`,
    [ids, sessions.map(({ hash }) => hash)],
  )
  return rows.map(({ holder, login }, n) => ({
    holderId: holder,
    loginId: login,
    session: sessions[n]!.id.reveal(),
  }))
}
