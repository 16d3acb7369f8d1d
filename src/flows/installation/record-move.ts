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
    if (move?.state === 'reopening') return refused('undo_unfinished')
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
    await audit(tx, actor, 'installation.move', target)
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
    await audit(tx, actor, 'installation.arrive', target)
    await open(tx)
  })
}

// From here on no copy can be resumed. Undefined if nothing is being moved.
export function beginUndo(database: Database): Promise<{ target: string; wasMoved: boolean } | undefined> {
  return database.withTransaction(async (tx) => {
    const move = await lockMove(tx)
    if (!move) return undefined
    await tx.updateTable('installation_move').set({ state: 'reopening' }).execute()
    return { target: move.target, wasMoved: move.state === 'moved' }
  })
}

export function endUndo(database: Database, { target, actor }: MoveCommand): Promise<void> {
  return database.withTransaction(async (tx) => {
    await tx.deleteFrom('installation_move').execute()
    await audit(tx, actor, 'installation.move_undone', target)
  })
}

function lockMove(tx: Tx) {
  return tx.selectFrom('installation_move').select(['id', 'state', 'target']).forUpdate().executeTakeFirst()
}

function audit(tx: Tx, actor: string, action: string, target: string): Promise<void> {
  return insertAuditEntry(tx, { actor, action, subject: 'installation', details: { target } })
}
