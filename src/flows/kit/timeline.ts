// What happened to one object, from several sources, in one list: newest first.

// Another object that an event leads to.
export interface ObjectRef {
  // `request`: a change request. `api_request`: what was asked of an API.
  kind:
    | 'card'
    | 'member'
    | 'partner'
    | 'user'
    | 'order'
    | 'delivery'
    | 'withdrawal'
    | 'request'
    | 'key'
    | 'api_request'
  id: string
}

export interface TimelineEvent {
  at: Temporal.Instant
  source: 'state' | 'money' | 'message' | 'audit' | 'request'
  // A stable word, such as `card.issued` or the action of an audit entry.
  what: string
  // The person or program; null if the service did it by itself.
  by: string | null
  // Where from, as far as it is known and may be told.
  from: Readonly<Record<string, string>>
  details: Readonly<Record<string, unknown>>
  object: ObjectRef | null
}

// An event and its place in its source. Below it the next page goes on.
export interface PlacedEvent {
  place: string
  event: TimelineEvent
}

export interface TimelineSource {
  name: string
  // At most `limit` events below the place, newest first. By an index, so that a late page costs what the first does.
  read(below: string | undefined, limit: number): Promise<readonly PlacedEvent[]>
}

// Where a page ended, in each source that it took something of.
export type TimelineCursor = Readonly<Record<string, string>>

export interface TimelinePage {
  events: TimelineEvent[]
  next: TimelineCursor | null
}

// Each source goes on by itself, so that nothing is shown twice or left out where two events have one moment.
export async function readTimeline(
  sources: readonly TimelineSource[],
  cursor: TimelineCursor,
  limit: number,
): Promise<TimelinePage> {
  const queues = await Promise.all(
    sources.map(async ({ name, read }) => ({ name, left: [...(await read(cursor[name], limit + 1))] })),
  )
  const next: Record<string, string> = { ...cursor }
  const events: TimelineEvent[] = []
  while (events.length < limit) {
    const first = newest(queues)
    if (!first) return { events, next: null }
    const { place, event } = first.left.shift()!
    next[first.name] = place
    events.push(event)
  }
  return { events, next: newest(queues) ? next : null }
}

type Queue = { name: string; left: PlacedEvent[] }

function newest(queues: readonly Queue[]): Queue | undefined {
  const waiting = queues.filter(({ left }) => left.length > 0)
  return waiting.reduce<Queue | undefined>((best, queue) => {
    if (!best) return queue
    return Temporal.Instant.compare(queue.left[0]!.event.at, best.left[0]!.event.at) > 0 ? queue : best
  }, undefined)
}

// A source of few events that are all in memory. A place counts from the oldest, so that a new event moves no other.
export function fewEvents(name: string, events: readonly TimelineEvent[]): TimelineSource {
  const sorted = events.toSorted((a, b) => Temporal.Instant.compare(b.at, a.at))
  const placed = sorted.map((event, i) => ({ place: String(sorted.length - 1 - i), event }))
  return {
    name,
    async read(below, limit) {
      const older = below === undefined ? placed : placed.filter(({ place }) => Number(place) < Number(below))
      return older.slice(0, limit)
    },
  }
}

// A cursor as a page's address carries it. Undefined: not one of ours.
export function readCursor(text: string | undefined): TimelineCursor | undefined {
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const isPlace = (place: unknown) => typeof place === 'string' && /^\d{1,18}$/.test(place)
    return Object.values(value).every(isPlace) ? (value as TimelineCursor) : undefined
  } catch {
    return undefined
  }
}

export function writeCursor(cursor: TimelineCursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url')
}
