import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '#test/patience.ts'
import { Random } from '#test/random.ts'
import type { Client } from './client.ts'
import { judge } from './judge/judge.ts'
import { type LocalOptions, LocalService } from './local-service.ts'
import { openClient } from './open-client.ts'
import type { Figures, Given, Scale, Wanted } from './proof.ts'
import { ClientRecord } from './record.ts'
import { rounds } from './rounds.ts'
import type { Service } from './service.ts'
import { startTraffic, type Traffic } from './traffic.ts'

const MEMBERS = 6
const REST_MS = 800
const ACTS_BETWEEN = 5

export interface Trial {
  readonly client: Client
  readonly traffic: Traffic
  // For the faults: the traffic has sequences of its own.
  readonly random: Random
  // One for each fault, until both the count and the duration are reached.
  rounds(wanted: Wanted): Iterable<number>
  // Until the service acknowledges acts again, as many as are due before this fault, and a while by chance.
  untilActing(): Promise<void>
  // Counts one, and writes it into the client's record.
  fault(what: string): void
}

export interface TrialOptions extends Scale {
  // Codes of refusals that the faults provoke, and the service is right to give.
  alsoRefused?: readonly string[]
  // Checks of `verify` that compare times, where the faults are of the clock.
  timeChecks?: readonly string[]
  // False: every request has to be answered.
  mayFail?: boolean
}

// The frame of a proof: traffic, faults under it, and the judge. `makeFaults` returns notes for the summary, and leaves
// the service running.
export async function prove(
  service: Service,
  { seed, count, duration, leastActs, folder, say, scale }: Given,
  makeFaults: (trial: Trial) => Promise<readonly string[]>,
  { mayFail = true, ...options }: TrialOptions = {},
): Promise<Figures> {
  const random = new Random(seed)
  const { members = MEMBERS, restMs = REST_MS, ...pace } = { ...options, ...scale }
  const client = await openClient(service, members, options.alsoRefused)
  const record = new ClientRecord(join(folder, 'record.jsonl'))
  const traffic = startTraffic(client, record, random.fork(1), pace)
  const began = performance.now()
  const secondsSoFar = () => (performance.now() - began) / 1_000
  const faultRandom = random.fork(2)
  let faults = 0
  const notes = await makeFaults({
    client,
    traffic,
    random: faultRandom,
    rounds: (wanted) => rounds(wanted, secondsSoFar),
    async untilActing() {
      // A run that goes on for its duration owes no more acts for it.
      const share = leastActs * Math.min(1, (faults + 1) / count)
      const wanted = Math.max(traffic.acknowledged + ACTS_BETWEEN, share)
      await until(() => traffic.acknowledged >= wanted, 'acts are acknowledged again')
      await sleep(faultRandom.int(restMs))
    },
    fault(what) {
      faults += 1
      record.note(what)
      say(`${faults}. ${what}: ${traffic.acknowledged} acknowledged, ${traffic.unknown} unknown`)
    },
  }).finally(() => traffic.stop())
  assert(
    faults >= count && secondsSoFar() >= duration,
    'a proof makes as many faults as it is asked for, and as long',
  )
  const longestOutageMs = traffic.longestOutageMs()
  const { acknowledged: acts, unknown } = traffic
  const failed = mayFail ? [] : traffic.failures.map((text) => `failed request: ${text}`)
  say(`judging ${acts} acknowledged acts and ${unknown} unknown ones`)
  const violations = [...failed, ...(await judge(client, record, options.timeChecks))]
  record.close()
  return { acts, unknown, faults, violations, longestOutageMs, notes }
}

// The same with servers of this machine, which have to stop in order at the end.
export async function proveLocal(
  given: Given,
  makeFaults: (service: LocalService, trial: Trial) => Promise<readonly string[]>,
  options: TrialOptions & Omit<LocalOptions, 'log'> = {},
): Promise<Figures> {
  const processes = given.scale?.processes
  const settings = { ...(processes && { INGOT_PROCESSES: processes }), ...options.settings }
  const service = await LocalService.start({ ...options, settings, log: join(given.folder, 'service.log') })
  const figures = await prove(service, given, (trial) => makeFaults(service, trial), options)
  const violations = [...figures.violations]
  for (let i = 0; i < (options.servers ?? 1); i += 1)
    await service.down(i).catch((error: Error) => violations.push(`stop: ${error.message}`))
  return { ...figures, violations }
}
