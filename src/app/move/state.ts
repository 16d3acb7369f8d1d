import type pg from 'pg'
import { VERSION } from '#app/version.ts'
import { BoundedClient, type BoundedConfig } from '#base/db/client.ts'
import type { Reader } from '#base/db/db.ts'
import { withoutLimits } from '#base/db/settings.ts'
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
  if (move?.wasMoved) throw movedAway(move)
}

function movedAway({ state, target }: MoveState): MovedAway {
  return new MovedAway(
    state === 'reopening'
      ? `the move to ${target} is being undone here, and that has not ended: run \`ingot move --undo\` again`
      : `this installation was moved to ${target}: set DATABASE_URL or DATA_DIR to that. To use this database again ` +
          'without what has happened there since, run `ingot move --undo`',
  )
}

class BeingMoved extends Explained {
  override get machineWords() {
    return { code: 'being_moved' }
  }
}

// Where a release would change the schema or the functions. The tables refuse that while the installation is being moved, and
// the copy would differ. `isAsked`: by a command that ends moves.
export async function refuseMigration(client: Pick<pg.Client, 'query'>, isAsked: boolean): Promise<void> {
  const move = await readMoveBy(client)
  if (!move) return
  if (move.wasMoved && !isAsked) throw movedAway(move)
  const { rows } = await client.query(
    `select (select max(version) from schema_migration) as schema,
            (select release from release_declaration order by declared_at desc limit 1) as release`,
  )
  const { schema, release } = rows[0]
  const began = release === null ? 'the release' : `release ${release}`
  throw new BeingMoved(
    `this installation is being moved to ${move.target}, or was, by ${began} with schema ${schema}. This release (${VERSION}) ` +
      'would change its schema or functions first. Nothing was touched. With the release that began the move, finish it by ' +
      '`ingot move --to TARGET` or undo it by `ingot move --undo`',
  )
}

// Before there is a pool. The table came with a migration.
export async function readMoveBy(client: Pick<pg.Client, 'query'>): Promise<MoveState | undefined> {
  const { rows } = await client.query(`select to_regclass('installation_move') is not null as there`)
  if (!rows[0].there) return undefined
  return (await client.query<MoveState>(MOVE_STATE.text)).rows[0]
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
    ...withoutLimits(connection),
    application_name: 'ingot move',
    connectionTimeoutMillis: CONNECT_MS,
  })
  client.isWatched = true
  await client.open()
  return client
}
