import { assert } from '#base/assert.ts'
import { classify } from '#base/db/errors.ts'

// Every write is a batch; a batch of one is the quiet case. While one batch is at the database the next one gathers.
// There is no timer: an idle service answers in one round trip, and a busy one shares its commits.
export interface BatchOptions<Command, Outcome> {
  // One outcome per command, in the same order.
  run(commands: readonly Command[]): Promise<readonly (Outcome | Failed)[]>
  maxSize: number
  // How many batches may be at the database at once. A second one goes out only with this many commands, so
  // that overlapping does not turn one good batch into many small ones.
  maxInFlight: number
  overlapFrom?: number
  // The database runs one batch after the other, as they came (a pipeline). So one more is sent ahead, once as many wait for it
  // as the one at the database has.
  sendsAhead?(): boolean
  // How many commands may wait. More are refused, because they would wait too long.
  maxWaiting: number
  // Two commands with the same key never share a batch: the later one sees what the earlier one did.
  apartKey?(command: Command): string | undefined
  // How many commands of one key may wait. They leave one to a batch and would fill the queue for others.
  maxAlike?: number
  onBatch?(size: number): void
}

const SPLIT_FROM = 8 // a smaller half would cost more in round trips than it gains

export class QueueFull extends Error {}

// In place of an outcome: an error that concerns one command alone.
export class Failed {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

interface Waiting<Command, Outcome> {
  command: Command
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

export class Batcher<Command, Outcome> {
  readonly #options: BatchOptions<Command, Outcome>
  #waiting: Waiting<Command, Outcome>[] = []
  // How many commands wait for each key. Kept only if it is limited.
  readonly #alike = new Map<string, number>()
  #inFlight = 0
  // How many commands the last batch that was sent had, and the last one that returned.
  #sent = 0
  #returned = 0
  #startScheduled = false

  constructor(options: BatchOptions<Command, Outcome>) {
    this.#options = options
  }

  submit(command: Command): Promise<Outcome> {
    if (this.#waiting.length >= this.#options.maxWaiting || !this.#countAlike(command, 1)) {
      return Promise.reject(new QueueFull())
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ command, resolve, reject })
      this.#scheduleStart()
    })
  }

  // False if there are too many of its kind already.
  #countAlike(command: Command, change: 1 | -1): boolean {
    const { apartKey, maxAlike } = this.#options
    const key = maxAlike === undefined ? undefined : apartKey?.(command)
    if (key === undefined || maxAlike === undefined) return true
    const count = (this.#alike.get(key) ?? 0) + change
    if (count > maxAlike) return false
    if (count === 0) this.#alike.delete(key)
    else this.#alike.set(key, count)
    return true
  }

  // Commands that arrive in the same turn of the event loop go out together; nothing waits longer.
  #scheduleStart(): void {
    if (this.#startScheduled || !this.#mayStart()) return
    this.#startScheduled = true
    setImmediate(() => {
      this.#startScheduled = false
      this.#start()
    })
  }

  #start(): void {
    while (this.#mayStart()) void this.#runBatch(this.#cut())
  }

  #mayStart(): boolean {
    const { maxInFlight, overlapFrom = 1, sendsAhead } = this.#options
    if (this.#inFlight === 0) return this.#waiting.length > 0
    if (sendsAhead?.())
      return this.#inFlight === 1 && this.#waiting.length >= Math.max(SPLIT_FROM, this.#sent)
    return this.#inFlight < maxInFlight && this.#waiting.length >= overlapFrom
  }

  // Half of the callers at present: those who wait, and those of the other batch, which is at the database or was answered just
  // now. The service then works for one half while the database works for the other. Otherwise a large and a small batch take
  // turns, and each side waits for the other one's large batch. Where several may be at the database, they overlap anyway.
  #size(): number {
    const { maxSize, maxInFlight } = this.#options
    if (maxInFlight > 1) return maxSize
    const others = this.#inFlight === 0 ? this.#returned : this.#sent
    const half = Math.ceil((others + this.#waiting.length) / 2)
    return Math.min(maxSize, Math.max(SPLIT_FROM, half))
  }

  #cut(): Waiting<Command, Outcome>[] {
    const maxSize = this.#size()
    const { apartKey } = this.#options
    if (!apartKey) return this.#waiting.splice(0, maxSize)
    const batch: Waiting<Command, Outcome>[] = []
    const later: Waiting<Command, Outcome>[] = []
    const keys = new Set<string>()
    for (const entry of this.#waiting) {
      const key = apartKey(entry.command)
      const fits = batch.length < maxSize && (key === undefined || !keys.has(key))
      if (fits && key !== undefined) keys.add(key)
      ;(fits ? batch : later).push(entry)
    }
    this.#waiting = later
    for (const { command } of batch) this.#countAlike(command, -1)
    return batch
  }

  async #runBatch(batch: Waiting<Command, Outcome>[]): Promise<void> {
    this.#inFlight += 1
    this.#sent = batch.length
    this.#options.onBatch?.(batch.length)
    const outcomes = await this.#outcomesOf(batch.map((entry) => entry.command))
    this.#inFlight -= 1
    this.#returned = batch.length
    // First the batch that has gathered. Writing the answers of this one takes as long as the database takes for that one, and
    // they would come one after the other.
    this.#start()
    for (const [i, entry] of batch.entries()) {
      const outcome = outcomes[i]!
      if (outcome instanceof Failed) entry.reject(outcome.error)
      else entry.resolve(outcome)
    }
  }

  async #outcomesOf(commands: readonly Command[]): Promise<readonly (Outcome | Failed)[]> {
    try {
      const outcomes = await this.#options.run(commands)
      assert(outcomes.length === commands.length, 'a batch has an outcome per command')
      return outcomes
    } catch (error) {
      const isOneOfThem = commands.length > 1 && classify(error) === 'bad_value'
      if (!isOneOfThem) return commands.map(() => new Failed(error))
      // One command's value fails the statement for all: each is run alone, so that only its sender is refused.
      return runOneByOne(commands, async (command) => (await this.#outcomesOf([command]))[0]!)
    }
  }
}

export async function runOneByOne<Command, Outcome>(
  commands: readonly Command[],
  run: (command: Command) => Promise<Outcome | Failed>,
): Promise<(Outcome | Failed)[]> {
  const outcomes: (Outcome | Failed)[] = []
  let lost: Failed | undefined
  for (const command of commands) {
    // Once the database is away, the rest need not find out one after the other.
    const outcome = lost ?? (await run(command))
    outcomes.push(outcome)
    if (outcome instanceof Failed && classify(outcome.error) === 'unavailable') lost = outcome
  }
  return outcomes
}
