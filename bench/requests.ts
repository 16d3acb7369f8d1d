import type pg from 'pg'
import type { Generator } from './load/start.ts'
import type { BenchPartner } from './partners.ts'
import type { Measurement } from './rounds.ts'
import { withClient } from './sql.ts'

export interface Target {
  port: number
  generator: Generator
  // One partner's each; the first one's buys what is looked up.
  keys: readonly string[]
}

let phones = 0 // bought so far: every purchase is for another phone number

export function buying(
  name: string,
  { port, generator, keys }: Target,
  shape: { connections: number; partners?: number; idempotent?: boolean; rate?: number },
): Measurement {
  const { connections, partners = 1, idempotent = false, rate } = shape
  return {
    name,
    async run(seconds) {
      const plan = { kind: 'buy' as const, keys: keys.slice(0, partners), firstPhone: phones, idempotent }
      const pace = rate === undefined ? {} : { rate }
      const load = await generator.run({ ports: [port], connections, seconds, plan, ...pace })
      phones += load.requests
      return load
    },
  }
}

let people = 0 // signed up so far: every signup is of another person

export function signingUp(
  name: string,
  { port, generator }: Target,
  { connections, partner }: { connections: number; partner: BenchPartner },
): Measurement {
  return {
    name,
    async run(seconds) {
      const plan = { kind: 'signup' as const, key: partner.key, partner: partner.code, firstPhone: people }
      const load = await generator.run({ ports: [port], connections, seconds, plan })
      people += load.requests
      return load
    },
  }
}

export function posting(
  name: string,
  { port, generator }: Target,
  shape: { connections: number; key?: string; path: string; bodies: readonly string[] },
): Measurement {
  const { connections, ...request } = shape
  return {
    name,
    run: (seconds) =>
      generator.run({ ports: [port], connections, seconds, plan: { kind: 'post', ...request } }),
  }
}

export function getting(
  name: string,
  { port, generator }: Target,
  shape: { connections: number; key?: string; paths: readonly string[] },
): Measurement {
  const { connections, ...request } = shape
  return {
    name,
    run: (seconds) =>
      generator.run({ ports: [port], connections, seconds, plan: { kind: 'get', ...request } }),
  }
}

const LOOKED_UP = 20_000 // far more than the lookups of one batch, few enough to be prepared at once

// Cards the first partner has bought, each asked for by one of its three names in turn.
export function lookupPaths(connection: pg.ClientConfig, partnerCode: string): Promise<string[]> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select (array[c.id::text, c.tx_id::text, c.number::text])[row_number() over () % 3 + 1] as name
         from gift_card c join partner p on p.id = c.partner_id
        where p.code = $1 order by c.number limit $2`,
      [partnerCode, LOOKED_UP],
    )
    return rows.map((row) => `/v2/partner/metal/giftcard/buy/${row.name}`)
  })
}
