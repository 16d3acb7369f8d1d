import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '#test/patience.ts'
import { Random } from '#test/random.ts'
import { ClusterService, type Node } from '../cluster-service.ts'
import type { Figures, Given, Proof } from '../proof.ts'
import { prove, type Trial } from '../trial.ts'

// What happens to the primary.
//   kill        PostgreSQL and its Patroni die at once, as when the machine does
//   postmaster  PostgreSQL dies and Patroni lives
//   freeze      the whole node stands still, and goes on later as if nothing had happened
//   isolate     the whole node is cut off the network, and comes back later
//   switchover  the operator gives the role to a standby
const FAULTS = ['kill', 'postmaster', 'freeze', 'isolate', 'switchover'] as const
type Fault = (typeof FAULTS)[number]

const BACK_MS = 30_000 // writes are back within, each time
const GIVE_UP_MS = 180_000
const SETTLED_ACTS = 30
const LATE_MS = 4_000 // at most, from the first acts after a failover to the return of the lost node

export const failover: Proof = {
  what: 'a cluster loses its primary: killed, frozen, cut off, switched over, under all traffic',
  count: 10,
  takes: 'Debian’s programs that `deploy/cluster/up --check` names',
  lacks: () => ClusterService.lacks(),
  async run(given) {
    const service = await ClusterService.start(given.say)
    try {
      return await failOver(service, given)
    } finally {
      await service.down(join(given.folder, 'log'))
    }
  },
}

async function failOver(service: ClusterService, given: Given): Promise<Figures> {
  const late: string[] = []
  const figures = await prove(service, given, async (trial) => {
    const random = new Random(given.seed).fork(1)
    const outages = new Map<Fault, number[]>()
    for (const n of trial.rounds(given)) {
      await service.untilWhole()
      await moreActs(trial)
      await sleep(random.int(1_000))
      // Each in turn, and which comes first by chance: a short run meets all of them too.
      const fault = FAULTS[(n + given.seed) % FAULTS.length]!
      const primary = (await service.primary())!
      const server = service.postmasterOf(primary)
      const outage = trial.traffic.watchOutage()
      const mend = await strike(service, fault, primary)
      await until(
        () => isReplaced(service, primary, server),
        `a primary after ${fault} of ${primary}`,
        GIVE_UP_MS,
      )
      await moreActs(trial)
      const outageMs = outage.stop()
      await sleep(random.int(LATE_MS))
      await mend()
      outages.set(fault, [...(outages.get(fault) ?? []), outageMs])
      const seconds = (outageMs / 1_000).toFixed(1)
      if (outageMs > BACK_MS) late.push(`writes: back only ${seconds} s after ${fault} of ${primary}`)
      trial.fault(`${fault} of ${primary}, writes back after ${seconds} s`)
    }
    await service.untilWhole()
    await moreActs(trial)
    return [...outages].map(
      ([fault, all]) => `${fault}: ${all.length} times, longest outage ${longest(all)} s`,
    )
  })
  return { ...figures, violations: [...late, ...figures.violations] }
}

const longest = (all: readonly number[]) => (Math.max(...all) / 1_000).toFixed(1)

async function moreActs({ traffic }: Trial): Promise<void> {
  const before = traffic.acknowledged
  await until(() => traffic.acknowledged >= before + SETTLED_ACTS, 'acts are acknowledged', GIVE_UP_MS)
}

// By another node, or by the same one after a restart.
async function isReplaced(service: ClusterService, before: Node, postmaster: number): Promise<boolean> {
  const primary = await service.primary()
  return primary !== undefined && (primary !== before || service.postmasterOf(primary) !== postmaster)
}

// Returns how to undo it.
async function strike(service: ClusterService, fault: Fault, primary: Node): Promise<() => Promise<unknown>> {
  switch (fault) {
    case 'kill':
      signal([service.pidOf(primary), service.postmasterOf(primary)], 'SIGKILL')
      return () => service.start(primary)
    case 'postmaster':
      signal([service.postmasterOf(primary)], 'SIGKILL')
      return async () => {}
    case 'freeze': {
      const [patroni, postmaster] = service.processesOf(primary)
      // These two first: what they would start meanwhile is then not missed.
      signal([patroni!, postmaster!], 'SIGSTOP')
      const frozen = service.processesOf(primary)
      signal(frozen, 'SIGSTOP')
      return async () => signal(frozen, 'SIGCONT')
    }
    case 'isolate': {
      const cable = service.pidOf(`cable${primary.slice(2)}`)
      signal([cable], 'SIGSTOP')
      return async () => signal([cable], 'SIGCONT')
    }
    case 'switchover':
      await service.switchOver(primary)
      return async () => {}
  }
}

// It may be gone by itself since it was looked up.
function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {}
  }
}
