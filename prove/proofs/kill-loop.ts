import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '#test/patience.ts'
import { isAlive, processesOf } from '#test/process.ts'
import { Random } from '#test/random.ts'
import type { Client } from '../client.ts'
import { EmbeddedService } from '../embedded-service.ts'
import type { Figures, Given, Proof } from '../proof.ts'
import { keepRotating } from '../rotation.ts'
import { prove, type Trial } from '../trial.ts'

// Who is killed. Everything: the supervisor and PostgreSQL in the same moment, as when the machine stops.
const VICTIMS = ['api 1', 'api 2', 'worker', 'backend', 'postmaster', 'supervisor', 'everything'] as const
type Victim = (typeof VICTIMS)[number]

const SETTLED_MS = 800 // at most, from the first acts after a kill to the next kill

export const killLoop: Proof = {
  what: 'kill -9 of every process of the service and of PostgreSQL, under all traffic and a key rotation',
  count: 28,
  async run(given) {
    const service = await EmbeddedService.start({ log: join(given.folder, 'service.log') })
    return killAtRandom(service, given)
  },
}

export function killAtRandom(
  service: EmbeddedService,
  given: Given,
  onClient: (client: Client) => void = () => {},
): Promise<Figures> {
  return prove(service, given, async (trial) => {
    onClient(trial.client)
    const random = new Random(given.seed).fork(1)
    const rotation = keepRotating(service)
    const kills = new Map<Victim, number>()
    for (let n = 0; n < given.count || trial.secondsSoFar() < given.duration; n += 1) {
      const before = trial.traffic.acknowledged
      await until(() => trial.traffic.acknowledged > before + 5, 'acts are acknowledged again')
      await sleep(random.int(SETTLED_MS))
      // Each in turn, and which comes first by chance: a short run meets all of them too.
      const victim = VICTIMS[(n + given.seed) % VICTIMS.length]!
      await kill(service, victim, trial)
      kills.set(victim, (kills.get(victim) ?? 0) + 1)
      trial.fault(`kill ${victim}`)
    }
    const rotations = await rotation.stop()
    return [
      `killed: ${[...kills].map(([victim, times]) => `${victim} ${times}`).join(', ')}`,
      `${rotations.done} key rotations finished, ${rotations.failed} were cut off and finished by the next`,
    ]
  })
}

async function kill(service: EmbeddedService, victim: Victim, trial: Trial): Promise<void> {
  const { server, postmaster } = service
  if (victim === 'supervisor' || victim === 'everything') {
    const others = [...processesOf(server).values()]
    server.child.kill('SIGKILL')
    if (victim === 'everything' && postmaster !== undefined) signal(postmaster)
    await server.ended
    await until(() => !others.some(isAlive), 'every process of the service ends')
    await service.up()
    return
  }
  const pid = await until(() => pidOf(service, victim, trial.random), `there is a ${victim}`)
  signal(pid)
}

function pidOf(service: EmbeddedService, victim: Victim, random: Random): number | undefined {
  if (victim === 'postmaster') return service.postmaster
  if (victim === 'backend') return random.pick(service.backends)
  return processesOf(service.server).get(victim)
}

// It may be gone by itself since it was looked up.
function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}
