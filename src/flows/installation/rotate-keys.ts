import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { assert } from '#base/assert.ts'
import { currentKeys, type KeyRing, type KeyRingStore } from '#base/crypto/key-ring.ts'
import type { Vault, VaultKeeper } from '#base/crypto/vault.ts'
import type { Database, Tx } from '#base/db/db.ts'
import { classify } from '#base/db/errors.ts'
import { LOCKS } from '#base/db/locks.ts'
import {
  chooseRotationKeys,
  type RingRefusal,
  type State,
  type Target,
} from '#flows/installation/choose-rotation-keys.ts'
import { SEALED_KINDS } from '#flows/installation/sealed-kinds.ts'
import { type Refusal, refused } from '#flows/kit/outcome.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import type { AuditEntry } from '#modules/audit/types.ts'
import { deleteOldIndexes, findUnindexedMember } from '#modules/members/rekey.ts'

// Changes the keys that protect people's data while the service runs. Every step can be repeated: the process after a
// killed one continues where that one stopped.
//   1. the ring gets new keys, and every serving process has read them;
//   2. from one moment on, all that is written is sealed with the new key, and people are indexed under both;
//   3. everything older is sealed and indexed anew, a chunk at a time;
//   4. from one moment on, the new index key alone is in force; entries under the old one go.
export interface RotateDeps {
  database: Database
  keys: VaultKeeper
  ring: KeyRingStore
  actor: string
  // The newest schema that this release knows.
  schemaVersion: number
  onProgress(step: RotateStep, count: number): void
}

export type RotateRefusal =
  | RingRefusal
  // By another process: at work, having begun in between, or having taken this one over.
  | Refusal<'rotation_running' | 'rotation_begun' | 'rotation_taken_over'>
  // A newer release may seal rows that this one does not know, and would leave behind.
  | Refusal<'newer_release'>
  // Serving processes that have not read the new keys. Nothing was changed but the ring.
  | Refusal<'keys_not_held', { processes: number }>

export type RotateOutcome = (Target & { kind: 'done'; rows: number }) | RotateRefusal

const CHUNK = 200 // some 20 ms of sealing under row locks
const HOLDERS_MS = 60_000
const ALIVE = '15 seconds' // a process announces itself every two
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

// Ends a step, and its transaction with it. onlyOne turns it into an outcome.
const NEWER = 'newer_release'
class RotationReplaced extends Error {}

// A kind of rows that is sealed anew, or the wait until every process has read the new keys.
export type RotateStep = keyof typeof SEALED_KINDS | 'wait_for_processes'

export function rotateKeys(deps: RotateDeps): Promise<RotateOutcome> {
  return onlyOne(deps.database, async () => rotate(deps, await readState(deps.database.db)))
}

async function rotate(deps: RotateDeps, state: State): Promise<RotateOutcome> {
  if (state.schema > deps.schemaVersion) return refused(NEWER)
  const chosen = await chooseRotationKeys(deps.ring, state)
  if (chosen.kind === 'refused') return chosen
  const { ring, target } = chosen
  const stopped = state.rotating ? undefined : await begin(deps, ring, target)
  if (stopped) return stopped
  const rows = await rekeyAll(deps, target)
  await leaveOldIndex(deps, target)
  await dropOldIndexes(deps, target)
  await end(deps, target, rows)
  return { kind: 'done', ...target, rows }
}

// For the worker: continues a rotation whose process is gone. none: no rotation was under way.
export async function resumeRotation(deps: RotateDeps): Promise<RotateOutcome | { kind: 'none' }> {
  const { database } = deps
  const none = { kind: 'none' } as const
  if (!(await readState(database.db)).rotating) return none
  return onlyOne(database, async () => {
    // Another process may have ended it before this one had the lock. Going on from here would begin a second rotation.
    const state = await readState(database.db)
    return state.rotating ? rotate(deps, state) : none
  })
}

// A session lock on its own connection: it ends with the process. If it is lost during the work, each step still
// checks that the rotation is its own (inRotation).
async function onlyOne<Outcome>(
  database: Database,
  work: () => Promise<Outcome>,
): Promise<Outcome | RotateRefusal> {
  const client = await database.pool.connect()
  try {
    const { rows } = await client.query(`select pg_try_advisory_lock(${LOCKS.rotation}) as taken`)
    if (!rows[0].taken) return refused('rotation_running')
    return await work()
  } catch (error) {
    if (error instanceof RotationReplaced)
      return refused(error.message === NEWER ? NEWER : 'rotation_taken_over')
    throw error
  } finally {
    await client.query('select pg_advisory_unlock_all()').catch(() => {})
    client.release(true)
  }
}

async function readState(db: Database['db']): Promise<State> {
  const { rows } = await sql<State>`select encryption_key as encryption, index_key as index,
    next_index_key as next, rotating_since is not null as rotating,
    (select max(version) from schema_migration) as schema from installation`.execute(db)
  return rows[0]!
}

async function begin(deps: RotateDeps, ring: KeyRing, target: Target): Promise<RotateRefusal | undefined> {
  const without = await waitForHolders(deps, currentKeys(ring))
  if (without > 0) return refused('keys_not_held', { processes: without })
  return changeKeys(deps, async (tx) => {
    const state = await readState(tx)
    // Ours, if its commit was made and we did not hear of it.
    if (isUnderWay(state, target)) return undefined
    if (state.rotating) return refused('rotation_begun')
    await sql`update installation set key_epoch = key_epoch + 1, rotating_since = now(),
                     encryption_key = ${target.encryption}, next_index_key = ${target.index}`.execute(tx)
    const before = { encryption: state.encryption, index: state.index }
    await audit(tx, deps, 'keys.rotate', { before, after: { ...target } })
    return undefined
  })
}

// A process that could not open what others seal would fail its callers. Returns how many are left without the keys.
async function waitForHolders({ database, onProgress }: RotateDeps, keys: string[]): Promise<number> {
  const began = performance.now()
  for (;;) {
    const { rows } = await sql<{ without: bigint }>`
      select count(*) as without from process
       where seen_at > now() - ${ALIVE}::interval and not keys @> ${keys}::text[]`.execute(database.db)
    const without = Number(rows[0]!.without)
    if (without === 0 || performance.now() - began > HOLDERS_MS) return without
    onProgress('wait_for_processes', without)
    await sleep(500)
  }
}

// Waits for what is being written under the keys before, and lets nothing begin until the change is made.
async function changeKeys<Result>(deps: RotateDeps, change: (tx: Tx) => Promise<Result>): Promise<Result> {
  const changed = await retryBusy(() =>
    deps.database.withTransaction(async (tx) => {
      await sql`select pg_advisory_xact_lock(key_lock())`.execute(tx)
      return change(tx)
    }),
  )
  await deps.keys.refresh()
  return changed
}

// A step of this very rotation: under the shared lock of the keys, so that the keys in force stay what they are until it ends.
function inRotation<Result>(
  deps: RotateDeps,
  target: Target,
  step: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return retryBusy(() =>
    deps.database.withLongTransaction(async (tx) => {
      await sql`select pg_advisory_xact_lock_shared(key_lock())`.execute(tx)
      await stopIfReplaced(tx, deps, target)
      return step(tx)
    }),
  )
}

async function stopIfReplaced(tx: Tx, { schemaVersion }: RotateDeps, target: Target): Promise<void> {
  const state = await readState(tx)
  if (state.schema > schemaVersion) throw new RotationReplaced(NEWER)
  if (!isUnderWay(state, target)) throw new RotationReplaced()
}

function isUnderWay(state: State, target: Target): boolean {
  return state.rotating && isAt(state, target)
}

function isAt(state: State, { encryption, index }: Target): boolean {
  return state.encryption === encryption && (state.next ?? state.index) === index
}

async function rekeyAll(deps: RotateDeps, target: Target): Promise<number> {
  const vault = await vaultOf(deps, target)
  let total = 0
  for (const [step, rekey] of Object.entries(SEALED_KINDS)) {
    let after = FIRST_ID
    let done = 0
    for (;;) {
      // Skipping rows that are done may take a while, and blocks no one.
      const chunk = await inRotation(deps, target, (tx) => rekey(tx, vault, { after, limit: CHUNK }))
      if (!chunk) break
      after = chunk.last
      done += chunk.count
      deps.onProgress(step as keyof typeof SEALED_KINDS, done)
    }
    total += done
  }
  return total
}

// The vault of this rotation, also if another process began it a moment ago. A read that was under way then still
// belongs to the former epoch; the next one does not.
async function vaultOf({ keys }: RotateDeps, { encryption, index }: Target): Promise<Vault> {
  for (let tries = 1; tries <= 3; tries += 1) {
    const vault = await keys.refresh()
    if (vault.sealKeyId === encryption && vault.indexKeyId === index) return vault
  }
  throw new RotationReplaced()
}

async function leaveOldIndex(deps: RotateDeps, target: Target): Promise<void> {
  // A person who could not be found by the new key would be taken for a new one.
  const lost = await inRotation(deps, target, (tx) => findUnindexedMember(tx, target.index))
  assert(lost === undefined, 'everyone is indexed under the new key before it is the only one')
  await changeKeys(deps, async (tx) => {
    await stopIfReplaced(tx, deps, target)
    await sql`update installation set key_epoch = key_epoch + 1, index_key = ${target.index},
                     next_index_key = null`.execute(tx)
  })
}

async function dropOldIndexes(deps: RotateDeps, target: Target): Promise<void> {
  for (let gone = 1n; gone > 0n; ) {
    gone = await inRotation(deps, target, (tx) => deleteOldIndexes(tx, target.index, 5_000))
  }
}

async function end(deps: RotateDeps, target: Target, rows: number): Promise<void> {
  await retryBusy(() =>
    deps.database.withTransaction(async (tx) => {
      await sql`select pg_advisory_xact_lock_shared(key_lock())`.execute(tx)
      const state = await readState(tx)
      // Ended already, if the commit was made and we did not hear of it.
      if (!state.rotating && state.next === null && isAt(state, target)) return
      await stopIfReplaced(tx, deps, target)
      await sql`update installation set rotating_since = null`.execute(tx)
      await audit(tx, deps, 'keys.rotated', { details: { ...target, rows } })
    }),
  )
}

// A row or the lock of the keys may be held for longer than we like to wait; nothing was written, so it is tried again.
async function retryBusy<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries === 20 || classify(error) === 'bug') throw error
      await sleep(100 * tries)
    }
  }
}

function audit(tx: Tx, { actor }: RotateDeps, action: string, told: Partial<AuditEntry>) {
  return insertAuditEntry(tx, { actor, action, subject: 'installation', ...told })
}
