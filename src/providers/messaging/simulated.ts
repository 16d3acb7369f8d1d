import { setTimeout as sleep } from 'node:timers/promises'
import { failureAwaiting, magicOf, type RequestFault, requestFaultOf } from './magic-numbers.ts'
import type { Asked, MessageOutcome, MessagingProvider, OutgoingMessage, ProviderWatch } from './port.ts'

export interface SimulatedOptions {
  watch: ProviderWatch
  // How long a message takes to its phone.
  deliveryMs?: number | undefined
  slowMs?: number | undefined
}

const MAX_BATCH = 1_000
const DELIVERY_MS = 1_000
const SLOW_MS = 2_000
const ABSENT_AFTER_MS = 3_000

// The sandbox's provider: nothing leaves the process and nothing is stored. The outcome of a message follows from its
// number, its attempt and the time, so every process gives the same answer.
export function createSimulated(options: SimulatedOptions): MessagingProvider {
  const deliveryMs = options.deliveryMs ?? DELIVERY_MS
  const slowMs = options.slowMs ?? SLOW_MS
  const measured = async <T>(call: 'send' | 'find', work: () => Promise<T>) => {
    const startMs = performance.now()
    const result = await work()
    const ms = performance.now() - startMs
    options.watch.onRequest({ provider: 'simulated', call, outcome: 'status_200', ms })
    return result
  }
  return {
    name: 'simulated',
    channels: ['alimtalk', 'text'],
    maxBatch: MAX_BATCH,
    pollAfterMs: deliveryMs,
    absentAfterMs: Math.max(ABSENT_AFTER_MS, deliveryMs),
    retryAfterMs: deliveryMs,
    isAvailable: () => true,
    send: (messages) =>
      measured('send', async () => {
        const slow = messages.some(({ to, attempt }) => requestFaultOf(to, attempt) === 'slow')
        if (slow) await sleep(slowMs)
        return messages.map(take)
      }),
    find: (asked) => measured('find', async () => asked.map((one) => become(one, deliveryMs))),
    // It stores nothing, so a database that was restored has lost nothing to it.
    list: async () => ({ kind: 'page', messages: [], next: null }),
    hook: undefined,
    close: async () => {},
  }
}

const TAKING: Readonly<Record<RequestFault, MessageOutcome>> = {
  slow: { kind: 'accepted', messageId: null },
  error_500: { kind: 'unknown', reason: 'server_error' },
  accepted_then_500: { kind: 'unknown', reason: 'server_error' },
  reset_before: { kind: 'unknown', reason: 'connection_lost' },
  reset_after: { kind: 'unknown', reason: 'connection_lost' },
  timeout_after: { kind: 'unknown', reason: 'timeout' },
  rate_limited: { kind: 'refused', reason: 'rate_limited', retryable: true },
}

function take({ to, attempt }: OutgoingMessage): MessageOutcome {
  const fault = requestFaultOf(to, attempt)
  if (fault) return TAKING[fault]
  // There is no second provider to turn to, so the account is filled up by the second attempt.
  if (magicOf(to)?.kind === 'no_balance' && attempt === 1) {
    return { kind: 'refused', reason: 'no_balance', retryable: true }
  }
  return { kind: 'accepted', messageId: null }
}

const NEVER_TAKEN: readonly (RequestFault | undefined)[] = ['error_500', 'reset_before', 'rate_limited']

function become({ to, attempt, channel, sentAt }: Asked, deliveryMs: number): MessageOutcome {
  if (NEVER_TAKEN.includes(requestFaultOf(to, attempt))) return { kind: 'absent' }
  if (magicOf(to)?.kind === 'no_balance' && attempt === 1) return { kind: 'absent' }
  const sinceMs = Temporal.Now.instant().epochMilliseconds - sentAt.epochMilliseconds
  if (sinceMs < deliveryMs) return { kind: 'accepted', messageId: null }
  const failure = failureAwaiting(to, channel, attempt)
  if (!failure) return { kind: 'delivered', messageId: null }
  return { kind: 'failed', reason: failure.reason, retryable: failure.once, messageId: null }
}
