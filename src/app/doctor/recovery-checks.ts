import { type ArchiveStatus, type BackupPlan, readPlan, readStatus } from '#app/backup/plan.ts'
import { readRestorationFigures } from '#modules/restorations/listings.ts'
import { all, type Check, databaseCheck, ok, warning, wrong } from './types.ts'

// What is there if the disk is lost, and what an earlier restore left to do.

const OLD_HOURS = 36 // the worker makes a copy every day

interface BackupFacts {
  isEmbedded: boolean
  plan: Pick<BackupPlan, 'dir'> | undefined
  ageHours: number | undefined
  status: Pick<ArchiveStatus, 'reason' | 'givenUp'> | undefined
}

export const backup: Check<BackupFacts> = {
  name: 'backup',
  needs: 'settings',
  read({ config: { databaseUrl, dataDir } }) {
    const isEmbedded = databaseUrl === undefined
    const plan = isEmbedded ? readPlan(dataDir) : undefined
    const ended = plan?.last?.endedAt
    return {
      isEmbedded,
      plan,
      ageHours: ended && Temporal.Instant.from(ended).until(Temporal.Now.instant()).total('hours'),
      status: isEmbedded ? readStatus(dataDir) : undefined,
    } as BackupFacts
  },
  judge({ isEmbedded, plan, ageHours, status }, { mode }) {
    if (!isEmbedded)
      return [ok('DATABASE_URL is backed up by its own tools, such as pgBackRest: docs/backup.md')]
    if (!plan) {
      const say = mode === 'live' ? wrong : warning
      return [say('nothing backs this database up', 'Run: ingot backup --to DIR --key FILE')]
    }
    return all(
      [
        status?.givenUp &&
          wrong(
            'the archive of backups has a gap: what was written since is in none',
            'Make room, then run: ingot backup',
          ),
        status?.reason != null &&
          !status.givenUp &&
          wrong(
            `the archive of backups fails: ${status.reason}`,
            `Look at ${plan.dir}, then: ingot backup list`,
          ),
        ageHours === undefined && wrong('no backup has ended yet', 'Run: ingot backup'),
        ageHours !== undefined &&
          ageHours > OLD_HOURS &&
          warning(
            `the last full backup is ${Math.floor(ageHours)} hours old`,
            'Is a worker running? Or run: ingot backup',
          ),
      ],
      `backed up to ${plan.dir}`,
    )
  },
}

interface RestorationFacts {
  restorations: number
  held: number
  unverified: number
}

const HAS = { name: 'doctor_restorations', text: `select to_regclass('restoration') is not null as has` }

export const restoration = databaseCheck<RestorationFacts>({
  name: 'restoration',
  async read({ database }) {
    const [place] = await database.read<{ has: boolean }>(HAS, [])
    const [figures] = place!.has ? await readRestorationFigures(database) : []
    return {
      restorations: Number(figures?.restorations ?? 0),
      held: Number(figures?.held ?? 0),
      unverified: Number(figures?.unverified ?? 0),
    }
  },
  judge: ({ restorations, held, unverified }) =>
    all(
      [
        unverified > 0 &&
          wrong('the books were not found to hold since this database was restored', 'Run: ingot verify'),
        held > 0 &&
          warning(
            'messages from before a restore wait until the lists of the providers are read',
            'Look at: ingot restored report. If a provider cannot be asked: ingot restored release --reason TEXT',
          ),
      ],
      restorations > 0 ? 'nothing is left to do of the last restore' : 'this database was never restored',
    ),
})
