import { POSTGRES_MAJOR } from '#app/embedded-postgres/cluster-location.ts'
import type { Config } from '#app/settings/config.ts'
import { BackupError } from './error.ts'
import type { Manifest } from './manifest.ts'
import type { Listed } from './verify.ts'

/** The newest copy that reaches the time; without a time the newest of all. */
export function chooseBackup(listed: readonly Listed[], time: Temporal.Instant | undefined): Listed {
  const newest = listed.at(-1)!
  if (time === undefined) return newest
  const found = listed.findLast(({ range }) => reaches(range, time))
  if (found) return found
  const ranges = listed.map(({ manifest, range }) => `${range.from} to ${range.until} (${manifest.id})`)
  throw new BackupError(`these backups do not reach ${time}. They can be restored to\n${ranges.join('\n')}`)
}

function reaches({ from, until }: Listed['range'], time: Temporal.Instant): boolean {
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
