import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import type { Log } from '#base/log.ts'
import { createKeyedQueue, type QueueOptions, TooManyOfOneKey } from '#base/queues/keyed-queue.ts'
import type { GuessMetrics } from '#flows/guesses/metrics.ts'
import { GUESS_LIMITS, judge, networksOf } from '#modules/guesses/rules.ts'
import {
  createNoteGuess,
  createReadGuesses,
  createTakeBackGuesses,
  deleteGuesses,
  type Failures,
  type NoteGuess,
  type Subject,
} from '#modules/guesses/store.ts'
import type { CountedOnce, GuessKind, GuessScope } from '#modules/guesses/types.ts'

export interface Limited {
  kind: 'limited'
  retryAfterSeconds: number
}

interface Guesser {
  // An id typed at the login, a session's account or link, a telephone; undefined when only the address counts.
  account: string | undefined
  // Undefined if all visitors share it.
  address: string | undefined
}

interface Try {
  alarmed: boolean
  now: Temporal.Instant
}

interface AttemptOptions<Outcome> extends QueueOptions {
  // What counts may turn out to be no failure later: told what was counted, to take it back by then. Until then the
  // metric leaves it out.
  onCounted?: (outcome: Outcome, counted: readonly CountedOnce[]) => Promise<void>
  // A failure that is not to keep the account's owner out: it counts by address and over all.
  sparesAccount?: (outcome: Outcome) => boolean
}

export interface Guard {
  // Looks at nothing while there were too many failures; counts one more if it was another.
  attempt<Outcome>(
    kind: GuessKind,
    who: Guesser,
    work: (one: Try) => Promise<Outcome>,
    isFailure: (outcome: Outcome) => boolean,
    options?: AttemptOptions<Outcome>,
  ): Promise<Outcome | Limited>
  takeBack(kind: GuessKind, counted: readonly CountedOnce[]): Promise<void>
  // For an account whose owner has proven their identity. Failures of addresses stay.
  forgive(kind: GuessKind, account: string): Promise<void>
}

interface GuardDeps {
  database: Database
  keys: VaultKeeper
  log: Log
  metrics: GuessMetrics
}

const EVERYONE = Buffer.alloc(0)
const OF_THE_ACCOUNT: ReadonlySet<GuessScope> = new Set(['account', 'texts'])
// A person tries one at a time.
const OF_AN_ACCOUNT = { atOnce: 1, maxWaiting: 20, late: () => new TooManyOfOneKey() }
// How many of a network are looked at before their failures are counted: what its limit can be passed by. A password
// costs a core; a PIN nearly nothing, and a carrier has thousands of people behind one address.
const OF_A_NETWORK: Partial<Record<GuessKind, { atOnce: number; maxWaiting: number }>> = {
  login: { atOnce: 5, maxWaiting: 200 },
  pin: { atOnce: 32, maxWaiting: 500 },
}

// Counts failures by account, by address and over all, in the database, so that all processes count together. In this
// process attempts on one account queue up, and those of a network run a few at a time. So a hundred at once are not
// a hundred tries before the first is counted.
export function createGuard(deps: GuardDeps): Guard {
  const readGuesses = createReadGuesses(deps.database)
  const noteGuess = createNoteGuess(deps.database)
  const takeBackGuesses = createTakeBackGuesses(deps.database)
  const inQueue = createGuessQueue()
  return {
    attempt: (kind, who, work, isFailure, { onCounted, sparesAccount, ...turn } = {}) =>
      inQueue(kind, who, turn, async () => {
        const subjects = subjectsOf(deps, kind, who)
        const { now, counted } = await readGuesses(kind, subjects)
        const { retryAfterSeconds, alarmed } = judge(kind, counted, now)
        if (retryAfterSeconds !== null) return { kind: 'limited', retryAfterSeconds }
        const outcome = await work({ alarmed, now })
        if (!isFailure(outcome)) return outcome
        if (!onCounted) deps.metrics.guessFailures.inc({ kind })
        const spared = sparesAccount?.(outcome) ?? false
        const against = spared ? subjects.filter(({ scope }) => !OF_THE_ACCOUNT.has(scope)) : subjects
        const counts = await note(deps, noteGuess, kind, against)
        await onCounted?.(outcome, counts.map(toCountedOnce))
        return outcome
      }),
    async takeBack(kind, counted) {
      if (counted.length > 0) await takeBackGuesses(kind, counted)
    },
    forgive: (kind, account) =>
      deps.database.withTransaction((tx) => deleteGuesses(tx, kind, accountSubject(deps, kind, account))),
  }
}

// The network first, the largest around the address: callers who wait there block no one at the account.
function createGuessQueue() {
  const accounts = createKeyedQueue(OF_AN_ACCOUNT)
  const networks = new Map(
    Object.entries(OF_A_NETWORK).map(([kind, limits]) => [kind as GuessKind, createKeyedQueue(limits)]),
  )
  return <Result>(
    kind: GuessKind,
    { account, address }: Guesser,
    turn: QueueOptions,
    work: () => Promise<Result>,
  ) => {
    const alone = account === undefined ? work : () => accounts(`${kind} ${account}`, work, turn)
    const queue = networks.get(kind)
    if (!queue || address === undefined) return alone()
    return queue(networksOf(address).at(-1)!.network, alone, turn)
  }
}

function subjectsOf({ keys }: GuardDeps, kind: GuessKind, { account, address }: Guesser): Subject[] {
  return [
    ...(account === undefined ? [] : [accountSubject({ keys }, kind, account)]),
    ...(account === undefined || kind !== 'identity' ? [] : [keyed(keys, 'texts', account)]),
    ...(address === undefined ? [] : networksOf(address)).map(({ scope, network }) =>
      keyed(keys, scope, `${kind} ${network}`),
    ),
    { scope: 'all', subject: EVERYONE },
  ]
}

export function accountSubject({ keys }: Pick<GuardDeps, 'keys'>, kind: GuessKind, account: string): Subject {
  return keyed(keys, 'account', `${kind} ${account}`)
}

function keyed(keys: VaultKeeper, scope: Exclude<GuessScope, 'all'>, text: string): Subject {
  return { scope, subject: keys.vault().fingerprint(`guess ${scope}`, text) }
}

function toCountedOnce({ scope, subject, bucket }: Failures[number]): CountedOnce {
  return { scope, subject: subject.toString('hex'), bucket: bucket.toString() }
}

async function note({ log }: GuardDeps, noteGuess: NoteGuess, kind: GuessKind, subjects: Subject[]) {
  const counts = await noteGuess(kind, subjects)
  // Exactly there, so that of all processes one tells, once in a window.
  if (counts.some(({ scope, failures }) => scope === 'all' && failures === GUESS_LIMITS[kind].all)) {
    log.error('guessing', { reason: kind, count: GUESS_LIMITS[kind].all })
  }
  return counts
}
