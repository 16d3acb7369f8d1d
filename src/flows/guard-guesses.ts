import { QueueFull } from '#base/batch.ts'
import type { Database } from '#base/db.ts'
import type { Log } from '#base/log.ts'
import type { Metrics } from '#base/metrics.ts'
import type { VaultKeeper } from '#base/vault.ts'
import { GUESS_LIMITS, judge, networkOf } from '#modules/guesses/rules.ts'
import { createReadGuesses, listRecentTotals, noteGuess, type Subject } from '#modules/guesses/store.ts'
import { GUESS_KINDS, type GuessKind } from '#modules/guesses/types.ts'

export interface Limited {
  kind: 'limited'
  retryAfterSeconds: number
}

interface Guesser {
  // An id typed at the login, a session's account or link; undefined when only the address is known.
  account: string | undefined
  address: string
}

interface Try {
  alarmed: boolean
  now: Temporal.Instant
}

export interface Guard {
  // Looks at nothing while there were too many failures; counts one more if it was another.
  attempt<Outcome>(
    kind: GuessKind,
    who: Guesser,
    work: (one: Try) => Promise<Outcome>,
    isFailure: (outcome: Outcome) => boolean,
  ): Promise<Outcome | Limited>
}

interface GuardDeps {
  database: Database
  keys: VaultKeeper
  log: Log
  metrics: Metrics
}

const EVERYONE = Buffer.alloc(0)
const MAX_WAITING = 20 // of one account: a person tries one at a time

// Counts failures by account, by address and over all, in the database, so that all processes count together. Tries of one
// account take turns in this process: a hundred at once are not a hundred tries before the first is counted.
export function createGuard(deps: GuardDeps): Guard {
  const readGuesses = createReadGuesses(deps.database)
  const turns = new Map<string, { last: Promise<unknown>; waiting: number }>()

  async function inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const line = turns.get(key) ?? { last: Promise.resolve(), waiting: 0 }
    if (line.waiting >= MAX_WAITING) throw new QueueFull()
    line.waiting += 1
    turns.set(key, line)
    const mine = line.last.then(work, work)
    line.last = mine.catch(() => {})
    try {
      return await mine
    } finally {
      line.waiting -= 1
      if (line.waiting === 0) turns.delete(key)
    }
  }

  return {
    attempt: (kind, who, work, isFailure) =>
      inTurn(`${kind} ${who.account ?? networkOf(who.address)}`, async () => {
        const subjects = subjectsOf(deps, kind, who)
        const { now, counted } = await readGuesses(kind, subjects)
        const { retryAfterSeconds, alarmed } = judge(kind, counted, now)
        if (retryAfterSeconds !== null) return { kind: 'limited', retryAfterSeconds }
        const outcome = await work({ alarmed, now })
        if (isFailure(outcome)) await note(deps, kind, subjects)
        return outcome
      }),
  }
}

function subjectsOf({ keys }: GuardDeps, kind: GuessKind, { account, address }: Guesser): Subject[] {
  const vault = keys.vault()
  const keyed = (scope: 'account' | 'address', text: string): Subject => ({
    scope,
    subject: vault.fingerprint(`guess ${scope}`, `${kind} ${text}`),
  })
  return [
    ...(account === undefined ? [] : [keyed('account', account)]),
    keyed('address', networkOf(address)),
    { scope: 'all', subject: EVERYONE },
  ]
}

async function note({ database, log, metrics }: GuardDeps, kind: GuessKind, subjects: Subject[]) {
  metrics.guessFailures.inc({ kind })
  const counts = await noteGuess(database, kind, subjects)
  // Exactly there, so that of all processes one tells, once in a window.
  if (counts.some(({ scope, failures }) => scope === 'all' && failures === GUESS_LIMITS[kind].all)) {
    log.error('guessing', { reason: kind, count: GUESS_LIMITS[kind].all })
  }
}

// For the operator's gauge: which alarms are on.
export async function listAlarms(database: Database): Promise<{ kind: GuessKind; alarmed: boolean }[]> {
  const totals = await listRecentTotals(database)
  return GUESS_KINDS.map((kind) => {
    const counted = totals.filter((total) => total.kind === kind)
    return { kind, alarmed: counted.length > 0 && judge(kind, counted, counted[0]!.now).alarmed }
  })
}
