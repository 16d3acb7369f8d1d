import { join } from 'node:path'
import { Random } from '#test/random.ts'
import type { Client } from './client.ts'
import { judge } from './judge/judge.ts'
import { openClient } from './open-client.ts'
import type { Figures, Given } from './proof.ts'
import { ClientRecord } from './record.ts'
import type { Service } from './service.ts'
import { startTraffic, type Traffic, type TrafficOptions } from './traffic.ts'

const MEMBERS = 6

export interface Trial {
  readonly client: Client
  readonly traffic: Traffic
  readonly random: Random
  secondsSoFar(): number
  // Counts one, and writes it into the client's record.
  fault(what: string): void
}

// The frame of a proof: traffic, faults under it, and the judge. `makeFaults` returns notes for the summary, and leaves
// the service running.
export async function prove(
  service: Service,
  { seed, folder, say }: Given,
  makeFaults: (trial: Trial) => Promise<readonly string[]>,
  options: TrafficOptions & { members?: number } = {},
): Promise<Figures> {
  const random = new Random(seed)
  const client = await openClient(service, options.members ?? MEMBERS)
  const record = new ClientRecord(join(folder, 'record.jsonl'))
  const traffic = startTraffic(client, record, random, options)
  const began = performance.now()
  let faults = 0
  const notes = await makeFaults({
    client,
    traffic,
    random,
    secondsSoFar: () => (performance.now() - began) / 1_000,
    fault(what) {
      faults += 1
      record.note(what)
      say(`${faults}. ${what}: ${traffic.acknowledged} acknowledged, ${traffic.unknown} unknown`)
    },
  }).finally(() => traffic.stop())
  const longestOutageMs = traffic.longestOutageMs()
  const { acknowledged: acts, unknown } = traffic
  say(`judging ${acts} acknowledged acts and ${unknown} unknown ones`)
  const violations = await judge(client, record)
  record.close()
  return { acts, unknown, faults, violations, longestOutageMs, notes }
}
