import { addGauges, type Registry } from '#base/metrics.ts'
import { readPlan, readStatus } from './plan.ts'

interface Figures {
  failing: number
  archiveAge: number | null
  backupAge: number | null
}

/** How old the backups are, and whether the archive works. Without the embedded database, or a backup of it, they say nothing. */
export function addBackupGauges(registry: Registry, dataDir: string | undefined): void {
  const read = async () =>
    [dataDir === undefined ? undefined : readFigures(dataDir)].filter((figures) => figures !== undefined)
  addGauges<Figures>(registry, read, [], () => ({}), [
    {
      name: 'ingot_backup_archive_failing',
      help: '1 while what is written does not reach the archive of backups, 2 if the archive was given up',
      figureOf: ({ failing }) => failing,
    },
    {
      name: 'ingot_backup_archive_age_seconds',
      help: 'Everything that was acknowledged longer ago than this is in the archive of backups',
      figureOf: ({ archiveAge }) => archiveAge,
    },
    {
      name: 'ingot_backup_age_seconds',
      help: 'Time since the last full backup',
      figureOf: ({ backupAge }) => backupAge,
    },
  ])
}

function readFigures(dataDir: string): Figures | undefined {
  const status = readStatus(dataDir)
  let last: string | null = null
  try {
    const plan = readPlan(dataDir)
    if (!plan) return undefined
    last = plan.last?.endedAt ?? null
  } catch {
    return { failing: 1, archiveAge: null, backupAge: null } // a copied folder, or a damaged plan
  }
  // A moment to come was written while the clock ran ahead: it says nothing.
  const soon = Temporal.Now.instant().add({ seconds: 5 }).toString()
  const until = [status?.archivedUntil, last]
    .filter((moment) => moment != null)
    .filter((moment) => moment <= soon)
    .sort()
    .at(-1)
  // An archive without any full copy restores nothing.
  const isUseless = last === null || until === undefined
  return {
    failing: status?.givenUp ? 2 : Number(status?.reason != null || isUseless),
    archiveAge: until === undefined ? null : ageOf(until),
    backupAge: last === null ? null : ageOf(last),
  }
}

function ageOf(moment: string): number {
  return Math.max(0, Temporal.Instant.from(moment).until(Temporal.Now.instant()).total('seconds'))
}
