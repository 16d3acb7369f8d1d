import type { Measurement, Sample } from '../rounds.ts'
import type { DeskSamples } from './desk.ts'

export interface Desk {
  port: number
  cookies: readonly string[]
  partnerCode: string
}

// Each page of the console as it is opened, with objects from anywhere in the tables.
export function questionsOn(desk: Desk, samples: DeskSamples): Measurement[] {
  const { partnerCode } = desk
  const lists = ['cards', 'members', 'users', 'deliveries', 'orders', 'withdrawals', 'audit', 'notices']
  const today = Temporal.Now.plainDateISO('Asia/Seoul')
  const month = `${today.subtract({ days: 60 })}..${today.subtract({ days: 30 })}`
  const search = (q: string) => `/search?q=${encodeURIComponent(q)}`
  const questions: Record<string, readonly string[]> = {
    ...Object.fromEntries(lists.map((list) => [`first page: ${list}`, [`/lists/${list}`]])),
    'filtered: cards of a partner, used': [`/lists/cards?partner=${partnerCode}&status=used`],
    'filtered: cards of a month and an amount': [`/lists/cards?issued=${month}&amount=50000..60000`],
    'filtered: failed deliveries of a month': [`/lists/deliveries?status=failed&created=${month}`],
    'filtered: open members of a partner': [`/lists/members?account=open&partner=${partnerCode}`],
    'search: card by id': samples.cards.map(({ id }) => search(id)),
    'search: card by number': samples.cards.map(({ number }) => search(number)),
    'search: member by login id': samples.logins.map(search),
    'search: person by number': [`${search('010-7777-0001')}&people=yes`],
    'object: card': samples.cards.map(({ id }) => `/cards/${id}`),
    'object: member': samples.members.map((id) => `/members/${id}`),
    'object: partner': [`/partners/${partnerCode}`],
    'object: partner user': samples.users.map((id) => `/users/${id}`),
    'object: order': samples.orders.map((id) => `/orders/${id}`),
    'object: delivery': samples.deliveries.map((id) => `/deliveries/${id}`),
    overview: ['/overview'],
    'overview: a year of days': [`/overview/days?from=${today.subtract({ days: 364 })}&to=${today}`],
  }
  return Object.entries(questions).map(([name, paths]) => ({
    name,
    run: (seconds) => repeat(asker(desk, paths), seconds),
  }))
}

export function asker({ port, cookies }: Desk, paths: readonly string[]): () => Promise<boolean> {
  let asked = 0
  return async () => {
    asked += 1
    const response = await fetch(`http://127.0.0.1:${port}/console/api${paths[asked % paths.length]}`, {
      headers: {
        cookie: cookies[asked % cookies.length]!,
        accept: 'application/problem+json, application/json',
      },
    })
    const text = await response.text()
    if (!response.ok)
      process.stderr.write(`${paths[asked % paths.length]}: ${response.status} ${text.slice(0, 200)}\n`)
    return response.ok
  }
}

const FEWEST = 20 // of a round, however short it is

// One after the other, as one person asks.
async function repeat(ask: () => Promise<boolean>, seconds: number): Promise<Sample> {
  await ask() // planned, and its pages read
  const times: number[] = []
  let errors = 0
  const began = performance.now()
  while (times.length < FEWEST || performance.now() - began < seconds * 1000) {
    const start = performance.now()
    if (!(await ask())) errors += 1
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  return {
    perSecond: (times.length * 1000) / (performance.now() - began),
    p50: times[times.length >> 1]!,
    p99: times[Math.floor(times.length * 0.99)]!,
    errors,
    requests: times.length,
  }
}
