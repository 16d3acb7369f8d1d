import assert from 'node:assert/strict'
import { join } from 'node:path'
import { until } from '#test/patience.ts'
import { ClusterService } from '../cluster-service.ts'
import { logInAgain } from '../open-client.ts'
import type { Proof, Wanted } from '../proof.ts'
import { prove, type Trial } from '../trial.ts'

const BACKUPS = { backups: true }
const ARCHIVED_MS = 600_000

export const clusterRestore: Proof = {
  what: 'a cluster loses every disk, after an orderly stop or a kill: pgBackRest restores it, and the service goes on',
  count: 2,
  takes: 'Debian’s programs that `deploy/cluster/up --check --backups` names',
  lacks: () => ClusterService.lacks(BACKUPS),
  async run(given) {
    const service = await ClusterService.start(given.say, BACKUPS)
    try {
      return await prove(service, given, (trial) => loseDisks(service, trial, given))
    } finally {
      await service.down(join(given.folder, 'log'))
    }
  },
}

// Before the disks are lost, the traffic rests until all that was acknowledged is in the archive. So nothing may be missing.
async function loseDisks(service: ClusterService, trial: Trial, wanted: Wanted): Promise<string[]> {
  for (const n of trial.rounds(wanted)) {
    await trial.untilActing()
    // Under traffic, and not the last word: what follows comes from the archive.
    await service.pgbackrest(n % 2 === 0 ? '--type=diff' : '--type=full', 'backup')
    await trial.untilActing()
    await trial.traffic.pause()
    const how = n % 2 === 0 ? 'an orderly stop' : 'a kill of everything'
    if (n % 2 === 0) await service.stop()
    else {
      await until(() => isArchived(service), 'all is in the archive', ARCHIVED_MS)
      await service.killEverything()
    }
    service.loseData()
    await service.restore()
    await logInAgain(trial.client)
    trial.traffic.goOn()
    trial.fault(`every disk lost after ${how}`)
  }
  await trial.untilActing()
  await service.untilWhole()
  // Debian's pgBackRest exits with 0 also if one is damaged: its words tell.
  const { stdout } = await service.pgbackrest('--output=text', '--verbose', 'verify')
  assert.match(stdout, /^status: ok$/m, stdout)
  return [`${stdout.match(/^ +backup: /gm)!.length} backups are kept, all whole`]
}

// It ends the current segment of the log, and waits until that is in the archive.
function isArchived(service: ClusterService): Promise<boolean> {
  return service.pgbackrest('check').then(
    () => true,
    () => false,
  )
}
