import type { Secret } from '#base/crypto/secret.ts'
import { createHttpCaller } from '#base/http/caller.ts'
import type { CircuitOptions } from '#base/http/circuit.ts'
import type { Answer, Timeouts } from '#base/http/client.ts'
import { recordOf } from '#base/text/untrusted-json.ts'
import { decimalOf, isWithinOnePercent, perGram, toNearestWon } from './decimal.ts'
import type { Metal, PriceFeed, PriceOutcome, PriceWatch } from './port.ts'

export interface GoldapiOptions {
  url: string
  token: Secret<'goldapi'>
  watch: PriceWatch
  // Open: it fails again and again, and is not asked until it is tried once more.
  onCircuit?: ((open: boolean) => void) | undefined
  timeouts?: Partial<Timeouts> | undefined
  circuit?: CircuitOptions | undefined
}

const MAX_ANSWER_BYTES = 64 * 1024
// Their clock and ours need not agree to the second.
const AHEAD_MS = 60_000
// Far from every price there was, and near enough to find a price of another unit or currency out.
const SANE: Readonly<Record<Metal, readonly [leastWon: bigint, mostWon: bigint]>> = {
  XAU: [20_000n, 5_000_000n],
  XAG: [200n, 200_000n],
}

export function createGoldapi(options: GoldapiOptions): PriceFeed {
  const { url, timeouts, circuit, watch, token } = options
  const caller = createHttpCaller<'read'>({
    url,
    timeouts,
    circuit,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    isFailure: () => false,
    onRequest: (call, outcome, ms) => watch.onRequest({ provider: 'goldapi', call, outcome, ms }),
    onCircuit: (open) => options.onCircuit?.(open),
  })
  return {
    name: 'goldapi',
    async read(metal) {
      const answer = await caller.call('read', {
        method: 'GET',
        path: `/api/${metal}/KRW`,
        headers: { 'x-access-token': token.reveal() },
      })
      // How old it is follows from the real clock: the feed knows nothing of a moment that a sandbox moved on.
      return priceOf(metal, answer, Temporal.Now.instant().epochMilliseconds)
    },
    past: undefined,
    close: () => caller.close(),
  }
}

const unavailable = (reason: string): PriceOutcome => ({ kind: 'unavailable', reason })
const REFUSALS: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'unauthorized',
  404: 'not_found',
  429: 'rate_limited',
}

function priceOf(metal: Metal, answer: Answer | undefined, nowMs: number): PriceOutcome {
  if (answer === undefined) return unavailable('circuit_open')
  if (answer.kind === 'not_sent') return unavailable('unreachable')
  if (answer.kind === 'in_doubt') return unavailable(answer.reason)
  if (answer.status >= 400) return unavailable(REFUSALS[answer.status] ?? 'refused')
  const body = recordOf(answer.body)
  if (body.error !== undefined) return unavailable('refused')
  if (body.metal !== metal || body.currency !== 'KRW') return unavailable('another_price')
  const ounce = decimalOf(body.price)
  const gram = body.price_gram_24k ?? undefined
  const given = gram === undefined ? ounce && perGram(ounce) : decimalOf(gram)
  if (!ounce || !given) return unavailable('answer_unreadable')
  // Two numbers for one price: if they do not agree, neither is to be believed.
  if (!isWithinOnePercent(given, perGram(ounce))) return unavailable('contradicts_itself')
  const wonPerGram = toNearestWon(given)
  const [least, most] = SANE[metal]
  if (wonPerGram < least || wonPerGram > most) return unavailable('not_sane')
  const ageMs = ageOf(body.timestamp, nowMs)
  if (ageMs === undefined) return unavailable('no_time')
  return { kind: 'price', price: { metal, wonPerGram, ageMs } }
}

// In seconds since 1970.
function ageOf(timestamp: unknown, nowMs: number): number | undefined {
  if (typeof timestamp !== 'number' || !Number.isSafeInteger(timestamp) || timestamp <= 0) return undefined
  const ageMs = nowMs - timestamp * 1000
  return ageMs < -AHEAD_MS ? undefined : Math.max(ageMs, 0)
}
