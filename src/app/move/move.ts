import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { orRefuse, Refused } from '#app/refused.ts'
import type { Runtime } from '#app/runtime.ts'
import { classify, failureFields } from '#base/db/errors.ts'
import { verifyBooks } from '#flows/books/verify-books.ts'
import { beginMove, type MoveRefusal, recordMoved } from '#flows/installation/record-move.ts'
import { finishArrival, openCopy } from './arrival.ts'
import { compareTables } from './compare.ts'
import { buildTables, copySequences, copyTables, prepareTables } from './copy.ts'
import { judgeSource } from './judge-source.ts'
import { holdsLock, withLock } from './lock.ts'
import { claimTarget, makeSchema, type OpenTarget, openTarget, withDatabase } from './open-target.ts'
import { closePairs, openPairs, type Pair } from './parallel.ts'
import { COPY_SCHEMA, readMove } from './state.ts'
import { settleJobs, stopWrites } from './stop-writes.ts'
import { type Copy, checkRoom, checkTarget, parseTarget, type Target } from './target.ts'
import { reopen } from './undo.ts'

const SEEN_MS = 2_000 // a process that serves looks every second

export interface MoveOptions {
  actor: string
  // A sentence for the operator.
  onStep(text: string): void
  onProgress(what: string, done: number, all: number): void
}

export interface Moved {
  target: string
  // Tables that are not of this release.
  left: string[]
}

function moveWords(refusal: MoveRefusal): string {
  return refusal.reason === 'already_moved'
    ? `this installation was moved to ${refusal.target} already: move it from there, or open it here with \`ingot move --undo\``
    : '`ingot move --undo` was begun here and has not ended: run it again first'
}

export async function moveTo(runtime: Runtime, to: string, options: MoveOptions): Promise<Moved> {
  const target = parseTarget(to, runtime)
  // The target would be open, and its worker would send what the original sends too.
  if (runtime.adoption?.isAwaited()) {
    throw new Refused(
      'this data folder was copied or moved, and its original may still run: make sure that it is stopped for good, run ' +
        '`ingot adopt`, and then move',
    )
  }
  if (runtime.schema.isNewer) {
    throw new Refused(
      'a newer release has been here, whose tables this one does not know: move with that release',
    )
  }
  return withLock(runtime, async (source) => {
    const under = await readMove(runtime.database)
    if (!under?.wasMoved) {
      await judgeSource(runtime, source)
      await checkTarget(target, under?.id)
      if (!under) await checkRoom(target, source)
    }
    const begun = await beginMove(runtime.database, { target: target.place, actor: options.actor })
    const { id, isMoved } = orRefuse(begun, moveWords)
    if (isMoved) {
      const { actor } = options
      await finishArrival(runtime, target, { id, actor, untilSeen: () => untilSeen(source) })
      return { target: target.place, left: [] }
    }
    try {
      await stopSource(source, options)
      return await copyTo(runtime, target, { ...options, id, holdsLock: () => holdsLock(source) })
    } catch (error) {
      // The next try would copy everything again, so callers need not wait for it.
      const isOpen = !mayResume(error) && (await reopen(runtime, source, { id, actor: options.actor }))
      throw withWaysOut(error, target, isOpen)
    }
  })
}

// If this process dies in between, writes are stopped in part; the next run or `--undo` goes on.
async function stopSource(source: Pair['source'], { onStep }: MoveOptions): Promise<void> {
  onStep('the worker stops; messages under way are waited for')
  await untilSeen(source)
  const left = await settleJobs(source)
  if (left > 0)
    onStep(`${left} job(s) did not end: their messages are asked about at the provider after the move`)
  await stopWrites(source)
  onStep('writes are stopped: callers get 503 and retry')
}

// Until the processes that serve here have seen how far the move is. There may be none.
async function untilSeen(source: Pair['source']): Promise<void> {
  const { rows } = await source.query(
    `select exists (select from process where seen_at > now() - interval '15 seconds') as serves`,
  )
  if (rows[0].serves) await sleep(SEEN_MS)
}

interface CopyOptions extends MoveOptions {
  id: string
  holdsLock(): Promise<boolean>
}

async function copyTo(runtime: Runtime, target: Target, options: CopyOptions): Promise<Moved> {
  const { id } = options
  const { place } = target
  // From our claim on until the copy is verified.
  let mayClear = false
  const open = await openTarget(runtime, target, id)
  try {
    const pairs = await openPairs(runtime.connection, open.connection, connectionCount())
    try {
      const [{ source, target: copy }] = pairs as [Pair]
      const begun = await claimTarget(copy, { id, place })
      mayClear = true
      const left = await copyAndVerify(runtime, { open, pairs, begun }, options)
      mayClear = false
      // Never both: from here on the source serves nothing, and the target not yet.
      await endAtSource(runtime, options)
      await untilSeen(source)
      await openCopy(open, target, options.actor)
      return { target: place, left }
    } finally {
      await closePairs(pairs)
    }
  } catch (error) {
    if (mayClear && !mayResume(error)) await clear(open, options)
    throw error
  } finally {
    await open.close()
  }
}

// Without the lock another process may go on with this move by now, or may have undone it.
async function endAtSource(runtime: Runtime, { id, holdsLock }: CopyOptions): Promise<void> {
  if (!(await holdsLock())) throw new Refused('the connection that keeps other moves out was lost')
  if (!(await recordMoved(runtime.database, id)))
    throw new Refused('this move was undone meanwhile, or another process ended it')
}

async function clear(open: OpenTarget, { holdsLock, onStep }: CopyOptions): Promise<void> {
  try {
    const isCleared = (await holdsLock()) && (await open.clear())
    onStep(isCleared ? 'the target is cleared' : 'the target is left as it is: another move may use it')
  } catch (failure) {
    const { error: name, sqlState } = failureFields(failure)
    onStep(`the target could not be cleared (${sqlState ?? name}): empty it before the next try`)
  }
}

// One more than there are cores: while one pair waits for the disk, the others work.
function connectionCount(): number {
  return Math.min(8, Math.max(2, availableParallelism() + 1))
}

interface Sides {
  open: OpenTarget
  pairs: readonly Pair[]
  begun: Copy
}

async function copyAndVerify(
  runtime: Runtime,
  { open, pairs, begun }: Sides,
  { onStep, onProgress }: CopyOptions,
): Promise<string[]> {
  const [pair] = pairs as [Pair]
  if (begun.phase === 'verified') return []
  if (begun.phase === 'begun') {
    onStep('the target gets the schema of this release')
    await makeSchema(runtime, open.connection)
    await prepareTables(pair.target)
  }
  const left = await copyTables({ pairs, onProgress: (done, all) => onProgress('copied', done, all) })
  await copySequences(pair)
  onStep('indexes and keys are built')
  await buildTables({ pairs, onProgress: (made, all) => onProgress('indexes', made, all) })
  onStep('both sides are read and compared, and the books are verified at the target')
  await checkCopy(runtime, { open, pairs, begun }, onProgress)
  // The first commit that waits for the disk: it takes all earlier ones with it.
  await pair.target.query(`update ${COPY_SCHEMA}.copy set phase = 'verified'`)
  return left
}

// Side by side: the books' checks use one core, and reading both sides leaves parts of several. Both end before a failure is told,
// since the target may then be cleared.
async function checkCopy(
  runtime: Runtime,
  { open, pairs }: Sides,
  onProgress: MoveOptions['onProgress'],
): Promise<void> {
  const comparing = compareTables({ pairs, onProgress: (done, all) => onProgress('compared', done, all) })
  const verifying = verifyCopy(runtime, open).catch(async (error) => {
    // The comparison's statements take as long as they need, and would wait for a frozen target for ever.
    if (mayResume(error)) await closePairs(pairs)
    throw error
  })
  const [compared, verified] = await Promise.allSettled([comparing, verifying])
  if (verified.status === 'rejected' && mayResume(verified.reason)) throw verified.reason
  if (compared.status === 'rejected') throw compared.reason
  if (compared.value.length > 0)
    throw new Refused(`the copy differs from the source in ${compared.value.join(', ')}`)
  if (verified.status === 'rejected') throw verified.reason
}

// Books that did not hold at the source do not hold in its copy either, and that is no reason to refuse it.
async function verifyCopy(runtime: Runtime, open: OpenTarget): Promise<void> {
  await withDatabase(open.connection, async (database) => {
    const keys = await openVaultKeeper(database, runtime.keyRing)
    const broken = (await verifyBooks(database, keys.vault())).filter((result) => result.broken > 0)
    if (broken.length === 0) return
    const before = await verifyBooks(runtime.database, runtime.keys.vault())
    const isNew = broken.filter(
      ({ check, broken }) => before.find((one) => one.check === check)?.broken !== broken,
    )
    if (isNew.length === 0) return
    throw new Refused(`verify fails at the target: ${isNew.map(({ check }) => check).join(', ')}`)
  })
}

// A lost connection leaves what was copied. Anything else would meet the same failure again.
function mayResume(error: unknown): boolean {
  const isDiskFull = error instanceof DatabaseError && error.code === '53100'
  return !isDiskFull && classify(error) === 'unavailable'
}

function withWaysOut(error: unknown, { place }: Target, isOpen: boolean): Refused {
  const { error: name, sqlState, reason } = failureFields(error)
  const why =
    error instanceof Refused
      ? error.message
      : error instanceof DatabaseError && error.code === '53100'
        ? `${place} or its disk is full`
        : `the copy failed (${[reason ?? name, sqlState, placeIn(error)].filter(Boolean).join(' ')})`
  if (isOpen) return new Refused(`${why}. Nothing was moved, and this installation is open again`)
  return new Refused(
    `${why}. Writes are still stopped here. Run \`ingot move --to TARGET\` again to go on, or \`ingot move --undo\` to ` +
      'open this installation again',
  )
}

// Names only: a message or a detail would quote a row.
function placeIn(error: unknown): string | undefined {
  if (!(error instanceof DatabaseError) || error.table === undefined) return undefined
  return `in table ${error.table}${error.constraint === undefined ? '' : `, constraint ${error.constraint}`}`
}
