import type pg from 'pg'
import { BoundedClient, type BoundedConfig } from '#base/db/client.ts'
import type { Reader } from '#base/db/db.ts'
import { NO_LIMITS, withSettings } from '#base/db/settings.ts'
import { Explained } from '#base/explained.ts'

// Where an installation is in its move to another database (docs/moving.md).
//   stopped    its writes are stopped, or are about to be; it may be copied
//   moved      the copy at `target` is the installation now
//   reopening  the move is being undone, and some tables may still refuse writes
export interface MoveState {
  id: string
  state: 'stopped' | 'moved' | 'reopening'
  target: string
  // The move had been completed: the target may have served since, also while it is being undone here.
  wasMoved: boolean
}

// At the target, from the first thing that is made there until the copy is verified. Nothing serves it meanwhile.
export const COPY_SCHEMA = 'ingot_move'

const CONNECT_MS = 10_000

// The last column by way of JSON: a database that is about to be migrated may not have it yet.
const MOVE_STATE = {
  name: 'move_state',
  text: `select id, target, case when undo then 'reopening' else state end as state, undo or state = 'moved' as "wasMoved"
           from (select m.*, coalesce((to_jsonb(m) ->> 'undo_begun')::boolean, false) as undo from installation_move m) as move`,
}

export async function readMove(database: Reader): Promise<MoveState | undefined> {
  const [move] = await database.read<MoveState & pg.QueryResultRow>(MOVE_STATE, [])
  return move
}

class MovedAway extends Explained {
  override get machineWords() {
    return { code: 'moved' }
  }
}

// The installation is elsewhere by now: two places must never serve it.
export async function refuseMoved(database: Reader): Promise<void> {
  const move = await readMove(database)
  if (!move?.wasMoved) return
  if (move.state === 'reopening') {
    throw new MovedAway(
      `the move to ${move.target} is being undone here, and that has not ended: run \`ingot move --undo\` again`,
    )
  }
  throw new MovedAway(
    `this installation was moved to ${move.target}: set DATABASE_URL or DATA_DIR to that. To use this database again ` +
      'without what has happened there since, run `ingot move --undo`',
  )
}

// A copy may be incomplete in any table, that of the migrations included. So this is asked before anything else.
export async function refuseUnfinishedCopy(client: Pick<pg.Client, 'query'>): Promise<void> {
  const { rows } = await client.query(`select to_regnamespace('${COPY_SCHEMA}') is not null as "isCopy"`)
  if (!rows[0].isCopy) return
  throw new MovedAway(
    'this database is the target of a move that has not ended: run `ingot move --to TARGET` again at the source. ' +
      'To give the move up, run `ingot move --undo` there, and empty this database',
  )
}

// A connection whose statements take as long as they need. The caller ends it.
export async function openMover(connection: BoundedConfig): Promise<BoundedClient> {
  const client = new BoundedClient({
    ...withSettings(connection, NO_LIMITS),
    application_name: 'ingot move',
    connectionTimeoutMillis: CONNECT_MS,
  })
  client.isWatched = true
  await client.open()
  return client
}
