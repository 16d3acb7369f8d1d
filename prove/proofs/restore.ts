import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readStatus } from '#app/backup/plan.ts'
import { until } from '#test/patience.ts'
import { isAlive, listProcesses, temporaryFolder } from '#test/process.ts'
import { settleMessages } from '../judge/messages.ts'
import type { LocalService } from '../local-service.ts'
import { logInAgain } from '../open-client.ts'
import type { Proof, Wanted } from '../proof.ts'
import { runIngot } from '../service.ts'
import { proveLocal, type Trial } from '../trial.ts'

// A segment of the log ends each minute.
const ARCHIVED_MS = 600_000

export const restore: Proof = {
  what: 'the disk of the data is lost, after an orderly stop or a kill: restored from its backup, the service goes on',
  count: 4,
  run: (given) => proveLocal(given, (service, trial) => loseDisk(service, trial, given)),
}

// Nothing that was acknowledged may be missing. An orderly stop under traffic archives all of it. Before a kill the traffic rests until
// messages have ended and the archive has all: the restored service lets 16 minutes pass before it sends what was open (decisions/0066).
async function loseDisk(service: LocalService, trial: Trial, wanted: Wanted): Promise<string[]> {
  const folder = temporaryFolder().path
  const place = [join(folder, 'backups'), '--key', join(folder, 'key')] as const
  await command(service, 'backup', 'key', join(folder, 'key'))
  await command(service, 'backup', '--to', ...place)
  for (const n of trial.rounds(wanted)) {
    await trial.untilActing()
    const how = n % 2 === 0 ? 'an orderly stop' : 'a kill of everything'
    if (n % 2 === 0) await service.down()
    await trial.traffic.pause()
    if (n % 2 === 1) await killEverything(service)
    rmSync(service.dataDir, { recursive: true })
    await command(service, 'restore', '--from', ...place)
    await command(service, 'backup', '--to', ...place)
    await service.up()
    await logInAgain(trial.client)
    trial.traffic.goOn()
    trial.fault(`disk lost after ${how}`)
  }
  await trial.untilActing()
  const checked = JSON.parse(await command(service, 'backup', 'verify', '--from', ...place, '--json'))
  return [`${checked.backups.length} full copies in the folder, all whole`]
}

async function killEverything(service: LocalService): Promise<void> {
  await settleMessages(service)
  const acknowledgedAt = Temporal.Now.instant().toString()
  await until(
    () => (readStatus(service.dataDir)?.archivedUntil ?? '') > acknowledgedAt,
    'all is in the archive',
    ARCHIVED_MS,
  )
  const { server, postmaster } = service
  const own = [server.child.pid!, postmaster!]
  const all = listProcesses().filter(({ pid, parent }) => own.includes(pid) || own.includes(parent))
  for (const { pid } of all) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {} // it has just ended
  }
  await server.ended
  await until(() => !all.some(({ pid }) => isAlive(pid)), 'every process ends')
}

async function command(service: LocalService, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runIngot(service, ...words)
  assert.equal(code, 0, stderr || stdout)
  return stdout
}
