import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { magicOf } from '#providers/messaging/magic-numbers.ts'
import type { Sent } from './phones.ts'

export interface ReportOptions {
  url: string
  // How it is sent is the provider's business.
  secret: string
  // From the taking of a message to its report.
  delayMs?: number
  maxPerPost?: number
  twice?: boolean
  // "At the carrier" comes after "delivered".
  outOfOrder?: boolean
  // The report overtakes the answer to the request that sent the message.
  beforeAnswer?: boolean
}

export type Phase = 'carrier' | 'final'
export type WriteReport = (
  batch: readonly Sent[],
  phase: Phase,
) => { headers: Record<string, string>; body: unknown }

export interface Reports {
  // Resolves once the answer may be given.
  onTaken(batch: readonly Sent[]): Promise<void>
  // Resolves when everything so far was posted.
  idle(): Promise<void>
  close(): Promise<void>
}

const TRIES = 5

export function createReports(options: ReportOptions | undefined, write: WriteReport): Reports {
  if (!options) return { onTaken: async () => {}, idle: async () => {}, close: async () => {} }
  const { origin, pathname, search } = new URL(options.url)
  const pool = new Pool(origin, { connections: 4 })
  const maxPerPost = options.maxPerPost ?? 100
  const waiting: Sent[] = []
  let closed = false
  let flushing: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  const post = async (batch: readonly Sent[], phase: Phase) => {
    const { headers, body } = write(batch, phase)
    for (let tries = 0; tries < TRIES && !closed; tries++) {
      const status = await pool
        .request({
          method: 'POST',
          path: `${pathname}${search}`,
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        .then(async (answer) => {
          await answer.body.dump()
          return answer.statusCode
        })
        .catch(() => 0)
      if (status >= 200 && status < 300) return
      await sleep(50 * 2 ** tries)
    }
  }
  const report = async (batch: readonly Sent[]) => {
    await post(batch, 'final')
    if (options.twice) await post(batch, 'final')
    if (options.outOfOrder) await post(batch, 'carrier')
  }
  const flush = async () => {
    timer = undefined
    while (waiting.length > 0 && !closed) await report(waiting.splice(0, maxPerPost))
  }
  return {
    async onTaken(taken) {
      const batch = taken.filter((sent) => magicOf(sent.to)?.kind !== 'never_reported')
      if (options.beforeAnswer) return report(batch)
      waiting.push(...batch)
      timer ??= setTimeout(() => {
        flushing = flushing.then(flush)
      }, options.delayMs ?? 20)
    },
    async idle() {
      while (timer || waiting.length > 0) {
        await sleep(5)
        await flushing
      }
      await flushing
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await pool.destroy()
    },
  }
}
