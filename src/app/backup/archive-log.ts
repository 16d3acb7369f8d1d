import { join } from 'node:path'
import type { ClientBase } from 'pg'
import { formatLsn, parseLsn, segmentName } from '#app/embedded-postgres/wal-names.ts'
import { refuseOtherPlace } from './backup-folder.ts'
import { findSlot, slotOf } from './chain.ts'
import type { BackupKey } from './sealed-format.ts'
import { archiveSegment, type SegmentInfo } from './wal-segment.ts'

/** How old an acknowledged purchase may get before it is in the archive, if the archive works. */
const SWITCH_MS = 60_000

export interface ArchiveTarget {
  readonly cluster: string
  readonly systemId: string
  readonly dir: string
  /** The folder's id, if the plan knows it. */
  readonly place?: string | undefined
  readonly chain: string
  readonly key: BackupKey
}

interface Look {
  /** Read before the position: what was acknowledged before is in the log up to there. */
  readonly at: string
  readonly lsn: bigint
  readonly segmentBytes: bigint
  readonly timeline: number
}

export type Step =
  | { readonly kind: 'archived'; readonly segments: number; readonly until: string | null }
  // The slot lost a part of the log that was not archived.
  | { readonly kind: 'broken' }

/** Archives one chain. Call `step` again and again, never twice at once. */
export class LogArchiver {
  readonly #target: ArchiveTarget
  #before: Look | undefined
  // By a clock that cannot be set. One that was ahead for a moment would make a minute last for hours.
  #switchedMs: number | undefined
  #until: string | null = null

  readonly #nowMs: () => number

  constructor(target: ArchiveTarget, nowMs = () => performance.now()) {
    this.#target = target
    this.#nowMs = nowMs
  }

  /** `finish`: end the segment that is being written, whatever its age. */
  async step(client: ClientBase, { finish = false } = {}): Promise<Step> {
    const slot = await findSlot(client, this.#target.chain)
    if (!slot) return { kind: 'broken' }
    let look = await lookAt(client)
    const nowMs = this.#nowMs()
    this.#switchedMs ??= nowMs
    // What the closed segments hold for certain: everything up to the look before, which was within one of them.
    let until = this.#before?.at ?? null
    if (finish || nowMs - this.#switchedMs >= SWITCH_MS) {
      until = look.at
      look = { ...look, lsn: await endSegment(client) }
      this.#switchedMs = nowMs
    }
    const from = parseLsn(slot.restart) / look.segmentBytes
    const end = look.lsn / look.segmentBytes
    for (let number = from; number < end; number += 1n) {
      await this.#archive(client, look, number, (number === end - 1n && until) || this.#until)
    }
    const segments = Math.max(0, Number(end - from))
    if (segments > 0 && until) this.#until = until
    this.#before = look
    return { kind: 'archived', segments, until: this.#until }
  }

  async #archive(client: ClientBase, look: Look, number: bigint, until: string | null): Promise<void> {
    const { dir, place, chain, key, cluster, systemId } = this.#target
    refuseOtherPlace(dir, place)
    const segment = segmentName(look.timeline, number, look.segmentBytes)
    const info: SegmentInfo = { segment, systemId, until: until ?? '' }
    const source = { pgWal: join(cluster, 'pg_wal'), info, segmentBytes: Number(look.segmentBytes) }
    await archiveSegment(source, dir, chain, key)
    // Only now: until then the log is kept. After a crash the slot may be behind, and the segment is compared.
    const next = formatLsn((number + 1n) * look.segmentBytes)
    await client.query('select pg_replication_slot_advance($1, $2::pg_lsn)', [slotOf(chain), next])
  }
}

async function lookAt(client: ClientBase): Promise<Look> {
  const { rows } = await client.query<{ at: string; lsn: string; bytes: string; name: string }>(
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
            pg_current_wal_flush_lsn()::text as lsn, pg_walfile_name(pg_current_wal_insert_lsn()) as name,
            (select setting from pg_settings where name = 'wal_segment_size') as bytes`,
  )
  const { at, lsn, bytes, name } = rows[0]!
  const timeline = Number.parseInt(name.slice(0, 8), 16)
  return { at, lsn: parseLsn(lsn), segmentBytes: BigInt(bytes), timeline }
}

// With a commit before it, so that a recovery to a moment shortly before finds one that is later, and stops.
async function endSegment(client: ClientBase): Promise<bigint> {
  await client.query(`select pg_logical_emit_message(true, 'ingot backup', '')`)
  await client.query('select pg_switch_wal()')
  // What is flushed, never what is inserted: a later segment may be full and not yet on the disk.
  const { rows } = await client.query<{ lsn: string }>('select pg_current_wal_flush_lsn()::text as lsn')
  return parseLsn(rows[0]!.lsn)
}
