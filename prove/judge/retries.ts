import { setTimeout as sleep } from 'node:timers/promises'
import type { Act, Entry, Outcome } from '../acts.ts'
import type { Client } from '../client.ts'
import type { ClientRecord } from '../record.ts'

const AT_ONCE = 8
// A busy service answers 503, and asks to be asked again. No fault is left that would keep it from answering.
const TRIES = 30
const PAUSE_MS = 2_000
const REPLAYED = 500 // acknowledged purchases that are sent once more: enough to meet every fault's neighbours
// These can be refused when they come too late. The others must succeed in the end.
const MAY_BE_REFUSED = ['order', 'withdraw']

type Sender = Pick<Client, 'send'>

// I10. Each unknown act is sent again, twice, as it was. Both answers are the same, and the first becomes its outcome:
// the other checks then compare it with the rows.
export async function resolveUnknown(
  client: Sender,
  record: ClientRecord,
  entries: readonly Entry[],
): Promise<string[]> {
  const violations: string[] = []
  const resolve = async (entry: Entry) => {
    const said = JSON.stringify(entry.act)
    const first = await sendUntilKnown(client, entry.act)
    const second = await sendUntilKnown(client, entry.act)
    if (signatureOf(first) !== signatureOf(second))
      violations.push(`I10 resolves two ways, ${signatureOf(first)} and ${signatureOf(second)}: ${said}`)
    if (first.kind === 'unknown') violations.push(`I10 stays unknown (${first.why}): ${said}`)
    if (first.kind === 'refused' && !isRefusable(entry))
      violations.push(`I10 is refused (${first.code}) on retry: ${said}`)
    entry.outcome = first
    record.end(entry.n, first)
  }
  const unknown = entries.filter(({ outcome }) => outcome.kind === 'unknown')
  await inParallel(apart(unknown), async (series) => {
    for (const entry of series) await resolve(entry)
  })
  return violations
}

// Acts of one member come one after another: a card that is registered between the two tries of an order may pay for the second.
function apart(entries: readonly Entry[]): Entry[][] {
  const series = Map.groupBy(entries, ({ n, act }) => ('member' in act ? `member ${act.member}` : n))
  return [...series.values()]
}

// I2. An acknowledged purchase that is sent again answers with its own card.
export async function replayAcknowledged(client: Sender, entries: readonly Entry[]): Promise<string[]> {
  const violations: string[] = []
  const bought = entries.filter(({ act, outcome }) => act.kind === 'buy' && outcome.kind === 'ok')
  const step = Math.max(1, Math.floor(bought.length / REPLAYED))
  const chosen = bought.filter((_, i) => i % step === 0)
  await inParallel(chosen, async ({ act, outcome }) => {
    const again = await sendUntilKnown(client, act)
    if (signatureOf(again) !== signatureOf(outcome))
      violations.push(
        `I2 answers with another card, ${signatureOf(outcome)} and then ${signatureOf(again)}: ${JSON.stringify(act)}`,
      )
  })
  return violations
}

async function sendUntilKnown(client: Sender, act: Act): Promise<Outcome> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await client.send(act)
    if (outcome.kind !== 'unknown' || tries === TRIES) return outcome
    await sleep(PAUSE_MS)
  }
}

function isRefusable({ act }: Entry): boolean {
  return MAY_BE_REFUSED.includes(act.kind) || (act.kind === 'buy' && act.amount === 0)
}

// A late order may be refused for one reason now and another a moment later: either way nothing was done.
function signatureOf(outcome: Outcome): string {
  return outcome.kind === 'ok' ? outcome.id : outcome.kind
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
