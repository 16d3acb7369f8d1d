import { Connection } from './connection.ts'
import { type NextRequest, type Plan, requestsOf } from './requests.ts'
import { type Load, Tally } from './tally.ts'

export interface Job {
  // One server process each; the connections are dealt out among them.
  ports: readonly number[]
  connections: number
  seconds: number
  plan: Plan
  // So many per second, however long the answers take. Without it, as many as the connections get answered.
  rate?: number
}

interface Sender {
  process: number
  connection: Connection
  nextRequest: NextRequest
}

export async function runLoad({ ports, connections, seconds, plan, rate }: Job): Promise<Load> {
  const requests = requestsOf(plan, ports.length)
  const senders = await Promise.all(
    Array.from({ length: connections }, async (_, i): Promise<Sender> => {
      const process = i % ports.length
      return { process, connection: await Connection.open(ports[process]!), nextRequest: requests(i) }
    }),
  )
  const tally = new Tally(ports.length)
  const until = tally.began + seconds * 1000
  if (rate === undefined) await Promise.all(senders.map((sender) => keepBusy(sender, tally, until)))
  else await keepPace(senders, tally, until, rate)
  const load = tally.end()
  for (const { connection } of senders) connection.close()
  return load
}

// A closed loop: every connection sends its next request when it has the answer to the last one.
function keepBusy({ process, connection, nextRequest }: Sender, tally: Tally, until: number): Promise<void> {
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
      tally.add(process, now - sentAt, ok)
      if (now < until && !connection.lost) send()
      else done()
    }
    send()
  })
}

const TICK_MS = 1

// An open loop: requests fall due at their rate, and their time counts from then, also while all connections are busy.
// What is due and not sent at the end stays unsent: the rate is then missed, and shows it.
async function keepPace(
  senders: readonly Sender[],
  tally: Tally,
  until: number,
  rate: number,
): Promise<void> {
  const idle = [...senders]
  const dueAt = (n: number) => tally.began + (n * 1000) / rate
  const { promise, resolve } = Promise.withResolvers<void>()
  let [sent, pending] = [0, 0]
  const tick = setInterval(() => {
    const now = performance.now()
    for (; now < until && idle.length > 0 && dueAt(sent) <= now; sent += 1) {
      const sender = idle.pop()!
      const due = dueAt(sent)
      pending += 1
      sender.connection.send(sender.nextRequest()!, (ok) => {
        tally.add(sender.process, performance.now() - due, ok)
        pending -= 1
        if (!sender.connection.lost) idle.push(sender)
      })
    }
    // Or every connection is lost.
    if (pending === 0 && (now >= until || idle.length === 0)) resolve()
  }, TICK_MS)
  await promise
  clearInterval(tick)
}
