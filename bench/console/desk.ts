import type pg from 'pg'
import type { Vault } from '#base/crypto/vault.ts'
import { openDatabase } from '#base/db/db.ts'
import { addStaff } from '#flows/staff/manage-staff.ts'
import { openStaffSession } from '#flows/staff/open-session.ts'
import { DETAILS } from '../members/people.ts'
import { withClient } from '../sql.ts'

// A session takes 20 requests a second: together they take more than one process answers.
const SESSIONS = 200
const SAMPLES = 50

// Cookies of one administrator's sessions.
export async function signInStaff(connection: pg.ClientConfig): Promise<string[]> {
  const database = openDatabase({ connection, maxConnections: 2, waitMs: 60_000, onIdleError: () => {} })
  try {
    const email = `bench-${Temporal.Now.instant().epochMilliseconds}@ingot.test`
    const added = await addStaff(database, {
      email,
      name: 'Bench',
      role: 'admin',
      partner: undefined,
      actor: 'bench',
      reason: 'bench',
    })
    if (added.kind !== 'done') throw new Error(`no staff member: ${added.reason}`)
    const from = { sessions: [], deviceLabel: 'bench', address: '127.0.0.1' }
    return await Promise.all(
      Array.from({ length: SESSIONS }, async () => {
        const how = { how: 'passkey', provenAt: 'now' } as const
        const opened = await database.withTransaction((tx) => openStaffSession(tx, added.staff.id, from, how))
        return `ingot_console=${opened!.session.reveal()}`
      }),
    )
  } finally {
    await database.close()
  }
}

export interface DeskSamples {
  cards: { id: string; number: string }[]
  members: string[]
  users: string[]
  logins: string[]
  orders: string[]
  deliveries: string[]
}

const PHONE = '+821077770001'

// Rows from anywhere in the tables. What is loaded is sealed with noise: these get values that open, as every answer opens them.
export function takeDeskSamples(connection: pg.ClientConfig, vault: Vault): Promise<DeskSamples> {
  return withClient(connection, async (client) => {
    const ids = async (text: string) =>
      (await client.query<{ id: string }>(text, [SAMPLES])).rows.map(({ id }) => id)
    const { rows: cards } = await client.query<{ id: string; number: string }>(
      'select id, number::text from gift_card order by random() limit $1',
      [SAMPLES],
    )
    const reseal = async (table: string, column: string, rows: readonly string[], value: string) => {
      const sealed = rows.map((row) => vault.seal({ table, column, row }, value))
      await client.query(
        `update ${table} t set ${column} = s.sealed from unnest($1::uuid[], $2::bytea[]) as s (id, sealed) where t.id = s.id`,
        [rows, sealed],
      )
    }
    const members = await ids('select id from member order by random() limit $1')
    const users = await ids('select id from partner_user order by random() limit $1')
    const { rows: accounts } = await client.query<{ id: string; login: string }>(
      'select id, login_id as login from member_account where member_id = any($1)',
      [members],
    )
    const { rows: links } = await client.query<{ id: string }>(
      'select id from partner_user where member_id = any($1)',
      [members],
    )
    await reseal(
      'gift_card',
      'recipient',
      cards.map(({ id }) => id),
      PHONE,
    )
    await reseal(
      'member_account',
      'details',
      accounts.map(({ id }) => id),
      DETAILS,
    )
    await reseal('partner_user', 'details', [...users, ...links.map(({ id }) => id)], DETAILS)
    await client.query('update withdrawal set destination = null where holder_id = any($1)', [members])
    return {
      cards,
      members,
      users,
      logins: accounts.flatMap(({ login }) => login ?? []),
      orders: await ids('select id from trade_order order by random() limit $1'),
      deliveries: (
        await client.query<{ id: string }>('select id::text from delivery where card_id = any($1)', [
          cards.map(({ id }) => id),
        ])
      ).rows.map(({ id }) => id),
    }
  })
}
