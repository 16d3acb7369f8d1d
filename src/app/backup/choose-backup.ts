import { POSTGRES_MAJOR } from '#app/embedded-postgres/cluster-location.ts'
import type { Config } from '#app/settings/config.ts'
import { BackupError } from './error.ts'
import type { Manifest } from './manifest.ts'
import type { Listed } from './verify.ts'

export interface Choice {
  readonly time?: Temporal.Instant | undefined
  /** The id of a copy. */
  readonly id?: string | undefined
}

/**
 * The copy that was named, or the newest one that reaches the time; without a time the one whose log reaches furthest. A copy
 * that stands alone may be newer than the last daily one, and reaches less far than that one's log.
 */
export function chooseBackup(listed: readonly Listed[], { time, id }: Choice): Listed {
  const named = id === undefined ? listed : listed.filter(({ manifest }) => manifest.id === id)
  if (named.length === 0) throw new BackupError(`there is no backup ${id}. There are\n${rangesOf(listed)}`)
  const reaching = time === undefined ? named : named.filter(({ range }) => reaches(range, time))
  if (reaching.length === 0)
    throw new BackupError(`these backups do not reach ${time}. They can be restored to\n${rangesOf(named)}`)
  const chosen = time === undefined ? furthestOf(reaching) : reaching.at(-1)!
  if (id === undefined) refuseTwoLives(listed, chosen, time)
  if (time === undefined && chosen.range.gapAfter !== null) {
    const { gapAfter, until } = chosen.range
    throw new BackupError(
      `the log of ${chosen.manifest.id} is missing or cannot be read after the segment ${gapAfter}: what came later would be ` +
        `left out. To restore what is before it, give --time ${until}`,
    )
  }
  return chosen
}

const rangesOf = (listed: readonly Listed[]) =>
  listed.map(({ manifest, range }) => `${range.from} to ${range.until} (${manifest.id})`).join('\n')

// Along a chain every copy reaches its end, so the newest of each chain stands for it. Only time tells between chains.
function furthestOf(listed: readonly Listed[]): Listed {
  const chains = Map.groupBy(listed, ({ manifest }) => manifest.chain ?? manifest.id)
  const newest = [...chains.values()].map((copies) => copies.at(-1)!)
  return newest.reduce((best, one) => (isBefore(one.range.until, best.range.until) ? best : one))
}

// A restored folder is the same installation. If it and the original archived into one folder at the same time, each has acts
// that the other lacks.
function refuseTwoLives(listed: readonly Listed[], chosen: Listed, time: Temporal.Instant | undefined): void {
  const { chain } = chosen.manifest
  if (chain === null) return
  const own = spanOf(listed.filter(({ manifest }) => manifest.chain === chain))
  const others = Map.groupBy(listed, ({ manifest }) => manifest.chain)
  for (const [other, copies] of others) {
    if (other === null || other === chain) continue
    const span = spanOf(copies)
    const isBeside = isBefore(own.from, span.until) && isBefore(span.from, own.until)
    if (!isBeside || (time !== undefined && !reaches(span, time))) continue
    throw new BackupError(
      'two copies of this installation wrote backups into this folder at the same time, and each may have what the other ' +
        `lacks. Name the one to restore with --backup ID:\n${rangesOf([chosen, ...copies])}`,
    )
  }
}

function spanOf(copies: readonly Listed[]): Span {
  return { from: copies[0]!.range.from, until: copies.at(-1)!.range.until }
}

type Span = Pick<Listed['range'], 'from' | 'until'>

function isBefore(one: string, other: string): boolean {
  return Temporal.Instant.compare(Temporal.Instant.from(one), Temporal.Instant.from(other)) < 0
}

function reaches({ from, until }: Span, time: Temporal.Instant): boolean {
  const compare = (moment: string) => Temporal.Instant.compare(Temporal.Instant.from(moment), time)
  return compare(from) <= 0 && compare(until) >= 0
}

/** Refuses what this release, with these settings, could not open afterwards. */
export function refuseUnusable(
  { id, installation, schema, release, postgresMajor }: Manifest,
  { mode }: Pick<Config, 'mode'>,
  known: { schema: number; keyRing: string | undefined },
): void {
  if (postgresMajor !== POSTGRES_MAJOR) {
    throw new BackupError(
      `the backup ${id} is of PostgreSQL ${postgresMajor}, and this release brings PostgreSQL ${POSTGRES_MAJOR}: restore it ` +
        `with release ${release}, then move it (\`ingot move\`)`,
    )
  }
  if (schema > known.schema) {
    throw new BackupError(
      `the backup ${id} was made by a newer release (${release}, schema ${schema}; this one knows ${known.schema}): use that one`,
    )
  }
  if (installation.mode !== mode) {
    throw new BackupError(
      `the backup ${id} is of a ${installation.mode} installation, and INGOT_MODE is ${mode}`,
    )
  }
  if (known.keyRing !== undefined && known.keyRing !== installation.keyRing) {
    throw new BackupError(
      `the key ring (KEY_RING_FILE) is not the one of the backup ${id}: its cards could not be read. Give the right one`,
    )
  }
}
