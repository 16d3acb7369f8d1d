import type { Database, Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'

export type MoveRefusal =
  | Refusal<'already_moved', { target: string }>
  // Some tables may be open again, so a copy that was begun is no longer a copy of this.
  | Refusal<'undo_unfinished'>

export type BegunMove = { kind: 'done'; id: string; isMoved: boolean }

interface MoveCommand {
  // Without a password.
  target: string
  actor: string
}

// Announces the move: workers claim nothing more from here on. One that was begun goes on under its id, also to another
// target, since nothing was written in between.
export function beginMove(
  database: Database,
  { target, actor }: MoveCommand,
): Promise<BegunMove | MoveRefusal> {
  return withOutcome<BegunMove | MoveRefusal>(database, async (tx) => {
    const move = await lockMove(tx)
    if (move?.state === 'reopening' || move?.undo_begun) return refused('undo_unfinished')
    if (move?.state === 'moved') {
      if (move.target !== target) return refused('already_moved', { target: move.target })
      return { kind: 'done', id: move.id, isMoved: true }
    }
    if (move) {
      await tx.updateTable('installation_move').set({ target }).execute()
      return { kind: 'done', id: move.id, isMoved: false }
    }
    const id = newId<'move'>()
    await tx
      .insertInto('installation_move')
      .values({ id, target, state: 'stopped', begun_by: actor })
      .execute()
    await audit(tx, actor, 'installation.move', { target })
    return { kind: 'done', id, isMoved: false }
  })
}

// The copy is verified: from here on the target is the installation. False: the move was undone meanwhile, or ended.
export function recordMoved(database: Database, id: string): Promise<boolean> {
  return database.withTransaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('installation_move')
      .set({ state: 'moved' })
      .where('id', '=', id)
      .where('state', '=', 'stopped')
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  })
}

export function recordArrival(
  database: Database,
  { target, actor }: MoveCommand,
  open: (tx: Tx) => Promise<void>,
): Promise<void> {
  return database.withTransaction(async (tx) => {
    await audit(tx, actor, 'installation.arrive', { target })
    await open(tx)
  })
}

export interface BegunUndo {
  target: string
  // The move had been completed: the target may have served since.
  wasMoved: boolean
  begunAt: Temporal.Instant
}

// From here on no copy can be resumed. Undefined if nothing is being moved. A completed move stays `moved` until `endUndo`, so
// that nothing serves before and a second call finds the same.
export function beginUndo(database: Database): Promise<BegunUndo | undefined> {
  return database.withTransaction(async (tx) => {
    const move = await lockMove(tx)
    if (!move) return undefined
    const wasMoved = move.state === 'moved' || move.undo_begun
    await tx
      .updateTable('installation_move')
      .set(wasMoved ? { undo_begun: true } : { state: 'reopening' })
      .execute()
    return { target: move.target, wasMoved, begunAt: move.begun_at }
  })
}

export function endUndo(
  database: Database,
  { target, wasMoved, actor }: Pick<BegunUndo, 'target' | 'wasMoved'> & { actor: string },
): Promise<void> {
  return database.withTransaction(async (tx) => {
    await tx.deleteFrom('installation_move').execute()
    await audit(tx, actor, 'installation.move_undone', { target, wasMoved })
  })
}

function lockMove(tx: Tx) {
  return tx
    .selectFrom('installation_move')
    .select(['id', 'state', 'target', 'begun_at', 'undo_begun'])
    .forUpdate()
    .executeTakeFirst()
}

function audit(tx: Tx, actor: string, action: string, details: MoveDetails): Promise<void> {
  return insertAuditEntry(tx, { actor, action, subject: 'installation', details })
}

type MoveDetails = { target: string; wasMoved?: boolean }
