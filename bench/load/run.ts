import { Connection } from './connection.ts'
import { Latencies } from './latencies.ts'
import { type Plan, requestsOf } from './requests.ts'

export interface Job {
  // One server process each; the connections are dealt out among them.
  ports: readonly number[]
  connections: number
  seconds: number
  plan: Plan
}

export interface Load {
  perSecond: number
  p50: number
  p99: number
  requests: number
  byProcess: readonly number[]
  // Answers other than 200, and connections lost.
  errors: number
  // What this process used, and how long it ran.
  load: { cpuSeconds: number; seconds: number }
}

// A closed loop: every connection sends its next request when it has the answer to the last one.
export async function runLoad({ ports, connections, seconds, plan }: Job): Promise<Load> {
  const requests = requestsOf(plan, ports.length)
  const open = await Promise.all(
    Array.from({ length: connections }, (_, i) => Connection.open(ports[i % ports.length]!)),
  )
  const latencies = new Latencies()
  const byProcess = ports.map(() => 0)
  let errors = 0

  function keepBusy(i: number, connection: Connection, until: number): Promise<void> {
    const nextRequest = requests(i)
    return new Promise((done) => {
      let sentAt = 0
      const send = () => {
        const request = nextRequest()
        if (!request) return done()
        sentAt = performance.now()
        connection.send(request, answered)
      }
      const answered = (ok: boolean) => {
        const now = performance.now()
        latencies.add(now - sentAt)
        byProcess[i % ports.length]! += 1
        if (!ok) errors += 1
        if (now < until && !connection.lost) send()
        else done()
      }
      send()
    })
  }

  const before = process.cpuUsage()
  const began = performance.now()
  const until = began + seconds * 1000
  await Promise.all(open.map((connection, i) => keepBusy(i, connection, until)))
  const took = (performance.now() - began) / 1000
  for (const connection of open) connection.close()
  const [p50, p99] = latencies.percentiles(0.5, 0.99) as [number, number]
  return {
    perSecond: (latencies.count - errors) / took,
    p50,
    p99,
    requests: latencies.count,
    byProcess,
    errors,
    load: { cpuSeconds: cpuSecondsSince(before), seconds: took },
  }
}

function cpuSecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
