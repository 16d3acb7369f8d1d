import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientBase } from 'pg'

// A chain is a part of the archive without a gap. A physical replication slot keeps the log that is not archived yet:
// PostgreSQL removes none of it before, up to max_slot_wal_keep_size. Then it gives the slot up, and the chain ends.
const PREFIX = 'ingot_backup_'

export const newChainId = () => randomBytes(6).toString('hex')
export const slotOf = (chain: string) => PREFIX + chain

export interface SlotState {
  /** Where the log begins that is kept. */
  readonly restart: string
  /** How many bytes of it. */
  readonly held: number
}

/** Undefined: there is none, or it has lost a part of the log. */
export async function findSlot(client: ClientBase, chain: string): Promise<SlotState | undefined> {
  const { rows } = await client.query<SlotState>(
    `select restart_lsn::text as restart, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::float8 as held
       from pg_replication_slots
      where slot_name = $1 and restart_lsn is not null and wal_status <> 'lost'`,
    [slotOf(chain)],
  )
  return rows[0]
}

export async function createSlot(client: ClientBase, chain: string): Promise<void> {
  await client.query('select pg_create_physical_replication_slot($1, true)', [slotOf(chain)])
}

export async function dropSlot(client: ClientBase, chain: string): Promise<void> {
  await client.query('select pg_drop_replication_slot($1)', [slotOf(chain)])
}

const DROP_TRIES = 25
const DROP_PAUSE_MS = 200

/** Ends all chains but one: a slot that no archive empties would only keep the log. */
export async function dropSlots(client: ClientBase, except: string | null): Promise<void> {
  const others = `from pg_replication_slots where starts_with(slot_name, $1) and slot_name <> $2`
  const values = [PREFIX, except === null ? '' : slotOf(except)]
  // An archiver that is just moving one on holds it for a moment.
  for (let tries = 0; tries < DROP_TRIES; tries += 1) {
    if (tries > 0) await sleep(DROP_PAUSE_MS)
    const free = await client.query(`select slot_name ${others} and not active`, values)
    for (const { slot_name: name } of free.rows)
      await client.query('select pg_drop_replication_slot($1)', [name]).catch(() => {})
    const left = await client.query(`select ${others}`, values)
    if (left.rows.length === 0) return
  }
}
