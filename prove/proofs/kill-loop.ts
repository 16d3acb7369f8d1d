import { until } from '#test/patience.ts'
import { isAlive, processesOf } from '#test/process.ts'
import type { Random } from '#test/random.ts'
import type { LocalService } from '../local-service.ts'
import type { Given, Proof } from '../proof.ts'
import { keepRotating } from '../rotation.ts'
import { proveLocal, type Trial } from '../trial.ts'

// Who is killed. Everything: the supervisor and PostgreSQL in the same moment, as when the machine stops.
const VICTIMS = ['api 1', 'api 2', 'worker', 'backend', 'postmaster', 'supervisor', 'everything'] as const
// All in one process, one API process and the worker, or two. The next start chooses.
const LAYOUTS = ['2', '2', '1', '0'] as const
type Victim = (typeof VICTIMS)[number]

export const killLoop: Proof = {
  what: 'kill -9 of every process of the service and of PostgreSQL, under all traffic and a key rotation',
  count: 28,
  run: (given) => proveLocal(given, (service, trial) => killAtRandom(service, trial, given)),
}

export async function killAtRandom(service: LocalService, trial: Trial, given: Given): Promise<string[]> {
  const rotation = keepRotating(service)
  const kills = new Map<string, number>()
  for (const n of trial.rounds(given)) {
    // Each in turn, and the seed says which comes first: a short run meets all of them too.
    const victim = VICTIMS[(n + given.seed) % VICTIMS.length]!
    const killed = await killOne(service, victim, trial)
    kills.set(killed, (kills.get(killed) ?? 0) + 1)
    trial.fault(`kill ${killed}`)
  }
  const rotations = await rotation.stop()
  return [
    `killed: ${[...kills].map(([killed, times]) => `${killed} (${times})`).join(', ')}`,
    `${rotations.done} key rotations finished, ${rotations.failed} were cut off and finished by the next`,
  ]
}

// One that is gone by itself is none: the next of its kind is killed instead.
async function killOne(service: LocalService, victim: Victim, trial: Trial): Promise<string> {
  for (;;) {
    await trial.untilActing()
    const killed = await kill(service, victim, trial.random)
    if (killed !== undefined) return killed
  }
}

// Returns who was killed, which is not always the one who was meant; undefined if it was gone by itself.
async function kill(service: LocalService, victim: Victim, random: Random): Promise<string | undefined> {
  const { server, postmaster } = service
  const pid = pidOf(service, victim, random)
  if (pid !== undefined) return signal(pid) ? victim : undefined
  // In a smaller layout one process does what the missing one would.
  const others = [...processesOf(server).values()]
  server.child.kill('SIGKILL')
  const all = victim === 'everything' && postmaster !== undefined && signal(postmaster)
  await server.ended
  await until(() => !others.some(isAlive), 'every process of the service ends')
  await service.up(0, { INGOT_PROCESSES: random.pick(LAYOUTS) })
  if (all) return victim
  return others.length > 0 ? 'supervisor' : 'the only process'
}

function pidOf(service: LocalService, victim: Victim, random: Random): number | undefined {
  if (victim === 'postmaster') return service.postmaster
  if (victim === 'backend') return random.pick(service.backends)
  return processesOf(service.server).get(victim)
}

// False if it is gone by itself since it was looked up.
function signal(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}
