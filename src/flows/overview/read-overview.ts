import { cached } from '#base/cached.ts'
import type { Reader } from '#base/db/db.ts'
import { listNeeds, type Need } from '#flows/overview/needs.ts'
import { type ServiceHealth, toHealth } from '#flows/overview/service-health.ts'
import { isMendable } from '#modules/deliveries/rules.ts'
import { type Counting, readCounting } from '#modules/figures/progress.ts'
import {
  type DayFigures,
  type FailureFigures,
  readDays,
  readFailures,
  readStock,
  type StockFigures,
} from '#modules/figures/read.ts'
import { percentUsed, readCreditUse } from '#modules/partners/credit.ts'
import { listUntold } from '#modules/partners/credit-alerts.ts'
import { tradingState } from '#modules/pricing/rules.ts'
import { readMarket } from '#modules/pricing/store.ts'
import { METALS } from '#modules/pricing/types.ts'

const NOW_MS = 1_500 // fifty open consoles ask as often as one
const HEALTH_MS = 5_000

export interface Overview {
  stock: StockFigures
  today: DayFigures
  counting: Counting
  failures: FailureFigures[]
  metals: MetalHealth[]
  health: ServiceHealth
  needs: Need[]
  // Since when this process has found nothing that needs a person, as far as it was asked; null if something does.
  wellSince: Temporal.Instant | null
}

interface MetalHealth {
  metal: string
  trading: 'open' | 'stale' | 'stopped'
  wonPerGram: bigint | null
  ageSeconds: number | null
  maxAgeSeconds: number
}

export type ReadOverview = () => Promise<Overview>

interface Parts {
  database: Reader
  readMetrics(): Promise<{ text: string }>
}

const OPEN_APPROVALS = {
  name: 'count_open_approvals',
  text: `select count(*)::int as count from change_request where status = 'waiting' and expires_at > service_now()`,
}

// What the overview shows now. One after the other, so that the console never takes more than one connection for it.
export function createReadOverview({ database, readMetrics }: Parts): ReadOverview {
  let wellSince: Temporal.Instant | null = null
  const health = cached(HEALTH_MS, async (_all: 'all') => toHealth((await readMetrics()).text))

  async function read(): Promise<Overview> {
    const stock = await readStock(database)
    const [today] = await readDays(database, { days: 1, partnerId: null })
    const counting = await readCounting(database)
    const failures = await readFailures(database, 1)
    const [approvals] = await database.read<{ count: number }>(OPEN_APPROVALS, [])
    const metals = await readMetals(database)
    const service = await health('all')
    const mendable = failures.filter(({ reason }) => isMendable(reason))
    const credit = (await readCreditUse(database)).map((one) => ({
      partner: one.partner,
      percent: percentUsed(one),
    }))
    const facts = {
      credit,
      // For a moment after a crossing a partner with a contact is here too: the worker tells it within a minute.
      creditUntold: await listUntold(database),
      openApprovals: approvals!.count,
      mendableFailures: mendable.reduce((sum, { messages }) => sum + messages, 0n),
      metals,
    }
    const needs = listNeeds({ ...service, figuresLagSeconds: counting.lagSeconds }, facts)
    wellSince = needs.length > 0 ? null : (wellSince ?? stock.at)
    return { stock, today: today!, counting, failures, metals, health: service, needs, wellSince }
  }

  const now = cached(NOW_MS, (_all: 'all') => read())
  return () => now('all')
}

async function readMetals(database: Reader): Promise<MetalHealth[]> {
  const { metals, terms } = await readMarket(database)
  return METALS.map((metal) => {
    const price = metals[metal]
    const { stopped, maxAgeSeconds } = terms[metal]
    return {
      metal,
      trading: price ? tradingState(price) : stopped ? 'stopped' : 'stale',
      wonPerGram: price?.reference ?? null,
      ageSeconds: price ? Math.round(price.ageSeconds) : null,
      maxAgeSeconds,
    }
  })
}
