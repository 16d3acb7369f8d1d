import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client'
import { requestMetrics } from '#base/request-metrics.ts'
import { addVerificationGauges, type Verified } from '#base/verify-metrics.ts'

// Everything that is measured, in one place, so that a name is given once.
export interface Metrics {
  readonly registry: Registry
  readonly httpSeconds: Histogram<'route' | 'method' | 'status'>
  readonly refusals: Counter<'code' | 'reason'>
  readonly purchases: Counter<'outcome'>
  readonly purchasedWon: Counter
  readonly signups: Counter<'outcome'>
  readonly redemptions: Counter<'outcome'>
  readonly quotes: Counter<'outcome'>
  readonly orders: Counter<'outcome'>
  readonly withdrawals: Counter<'outcome'>
  readonly priceReadings: Counter<'metal' | 'outcome'>
  readonly batchSize: Histogram<'batch'>
  readonly batchSeconds: Histogram<'batch'>
  readonly batchRerun: Counter<'batch'>
  readonly deliveries: Counter<'provider' | 'channel' | 'status' | 'reason'>
  readonly reports: Counter<'provider' | 'outcome'>
  readonly providerSeconds: Histogram<'provider' | 'call' | 'outcome'>
  readonly providerCircuit: Gauge<'provider' | 'channel'>
  readonly logins: Counter<'outcome'>
  readonly noticesLeftOut: Counter
  readonly guessFailures: Counter<'kind'>
}

// What waits, by kind: how much of it, and since when the longest.
interface Waiting {
  channel: string
  status: string
  count: number
  overdueSeconds: number
  oldestSeconds: number
}

// How old the newest price of a metal is.
interface PriceAge {
  metal: string
  seconds: number
}

// What people have to look at by hand.
interface Desk {
  status: string
  count: number
  oldestSeconds: number
}

type PoolFigures = () => { total: number; idle: number; waiting: number }

// Asked of the database when somebody asks us; while it is away these gauges say nothing.
interface Figures {
  listWaiting(): Promise<Waiting[]>
  listAlarms(): Promise<{ kind: string; alarmed: boolean }[]>
  listPriceAges(): Promise<PriceAge[]>
  listWithdrawals(): Promise<Desk[]>
  readVerification(): Promise<Verified | undefined>
}

export function createMetrics(pool: PoolFigures, figures?: Figures): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  addPoolGauge(registers, pool)
  if (figures) {
    addWaitingGauges(registers, figures.listWaiting)
    addAlarmGauge(registers, figures.listAlarms)
    addPriceGauge(registers, figures.listPriceAges)
    addWithdrawalGauges(registers, figures.listWithdrawals)
    addVerificationGauges(registers, figures.readVerification)
  }
  return {
    registry,
    ...requestMetrics(registers),
    purchases: new Counter({
      name: 'ingot_purchases_total',
      help: 'Gift card purchases by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    purchasedWon: new Counter({
      name: 'ingot_purchased_won_total',
      help: 'Won of gift cards issued',
      registers,
    }),
    signups: new Counter({
      name: 'ingot_signups_total',
      help: 'Partner users by outcome of their signup',
      labelNames: ['outcome'],
      registers,
    }),
    ...batchMetrics(registers),
    ...messagingMetrics(registers),
    ...memberMetrics(registers),
    ...tradingMetrics(registers),
  }
}

function batchMetrics(registers: Registry[]) {
  return {
    batchSize: new Histogram({
      name: 'ingot_batch_size',
      help: 'Commands per batch',
      labelNames: ['batch'],
      buckets: [1, 2, 4, 8, 16, 32, 64, 128],
      registers,
    }),
    batchSeconds: new Histogram({
      name: 'ingot_batch_seconds',
      help: 'Time a batch spends at the database',
      labelNames: ['batch'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
      registers,
    }),
    batchRerun: new Counter({
      name: 'ingot_batch_rerun_total',
      help: 'Batches that were run again one command at a time',
      labelNames: ['batch'],
      registers,
    }),
  }
}

function memberMetrics(registers: Registry[]) {
  return {
    logins: new Counter({
      name: 'ingot_logins_total',
      help: 'Logins of members by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    noticesLeftOut: new Counter({
      name: 'ingot_notices_left_out_total',
      help: 'Logins from a new device that their member was not told of, after too many within an hour',
      registers,
    }),
    guessFailures: new Counter({
      name: 'ingot_guess_failures_total',
      help: 'PINs, passwords and identities that were wrong, by kind',
      labelNames: ['kind'],
      registers,
    }),
  }
}

function addAlarmGauge(
  registers: Registry[],
  listAlarms: () => Promise<{ kind: string; alarmed: boolean }[]>,
): void {
  new Gauge({
    name: 'ingot_guess_alarm',
    help: '1 while so many guesses fail that more trust is asked of everyone',
    labelNames: ['kind'],
    registers,
    async collect() {
      const alarms = await listAlarms().catch(() => [])
      this.reset()
      for (const { kind, alarmed } of alarms) this.set({ kind }, alarmed ? 1 : 0)
    },
  })
}

function addPoolGauge(registers: Registry[], pool: PoolFigures): void {
  new Gauge({
    name: 'ingot_db_pool_connections',
    help: 'Connections of the pool by state',
    labelNames: ['state'],
    registers,
    collect() {
      const { total, idle, waiting } = pool()
      this.set({ state: 'busy' }, total - idle)
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'waiting' }, waiting)
    },
  })
}

function tradingMetrics(registers: Registry[]) {
  const byOutcome = (name: string, help: string) =>
    new Counter({ name, help, labelNames: ['outcome'], registers })
  return {
    redemptions: byOutcome('ingot_redemptions_total', 'Cards registered, by outcome'),
    quotes: byOutcome('ingot_quotes_total', 'Quotes asked for, by outcome'),
    orders: byOutcome('ingot_orders_total', 'Orders, by outcome'),
    withdrawals: byOutcome('ingot_withdrawals_total', 'Withdrawals asked for, by outcome'),
    priceReadings: new Counter({
      name: 'ingot_price_readings_total',
      help: 'Readings of the price feed: recorded, held_back (too far from the last one), unavailable',
      labelNames: ['metal', 'outcome'],
      registers,
    }),
  }
}

function addPriceGauge(registers: Registry[], listPriceAges: () => Promise<PriceAge[]>): void {
  new Gauge({
    name: 'ingot_price_age_seconds',
    help: 'Age of the newest price of a metal; trading stops at the age that its terms allow',
    labelNames: ['metal'],
    registers,
    async collect() {
      const ages = await listPriceAges().catch(() => [])
      this.reset()
      for (const { metal, seconds } of ages) this.set({ metal }, seconds)
    },
  })
}

function addWithdrawalGauges(registers: Registry[], list: () => Promise<Desk[]>): void {
  const add = (name: string, help: string, figureOf: (desk: Desk) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['status'],
      registers,
      async collect() {
        const desks = await list().catch(() => [])
        this.reset()
        for (const desk of desks) this.set({ status: desk.status }, figureOf(desk))
      },
    })
  add('ingot_withdrawals_open', 'Withdrawals that wait for a person', ({ count }) => count)
  add(
    'ingot_withdrawal_oldest_seconds',
    'How long the oldest of them waits',
    ({ oldestSeconds }) => oldestSeconds,
  )
}

function messagingMetrics(registers: Registry[]) {
  return {
    deliveries: new Counter({
      name: 'ingot_deliveries_total',
      help: 'Changes of messages to a status, and why; channel notice: texts to members',
      labelNames: ['provider', 'channel', 'status', 'reason'],
      registers,
    }),
    reports: new Counter({
      name: 'ingot_delivery_reports_total',
      help: 'What providers posted to us: noted, forged, or unreadable',
      labelNames: ['provider', 'outcome'],
      registers,
    }),
    providerSeconds: new Histogram({
      name: 'ingot_provider_request_seconds',
      help: 'Time of requests to providers by what became of them',
      labelNames: ['provider', 'call', 'outcome'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    providerCircuit: new Gauge({
      name: 'ingot_provider_circuit_open',
      help: '1 while a provider is not called, since it failed again and again',
      labelNames: ['provider', 'channel'],
      registers,
    }),
  }
}

// Asked of the database when somebody asks us; while it is away there is no answer, and the gauges say nothing.
function addWaitingGauges(registers: Registry[], listWaiting: () => Promise<Waiting[]>): void {
  // Asked once for all of them.
  let asked: { at: number; waiting: Promise<Waiting[]> } | undefined
  const ask = () => {
    if (!asked || performance.now() - asked.at > 500)
      asked = { at: performance.now(), waiting: listWaiting().catch(() => []) }
    return asked.waiting
  }
  const add = (name: string, help: string, figureOf: (waiting: Waiting) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['channel', 'status'],
      registers,
      async collect() {
        const all = await ask()
        this.reset()
        for (const one of all) this.set({ channel: one.channel, status: one.status }, figureOf(one))
      },
    })
  add('ingot_deliveries_open', 'Messages not at their end, notices to members apart', ({ count }) => count)
  add(
    'ingot_delivery_oldest_seconds',
    'Age of the oldest message that is not at its end',
    ({ oldestSeconds }) => oldestSeconds,
  )
  add(
    'ingot_delivery_overdue_seconds',
    'How long the oldest message waits beyond the time at which something was to be done about it',
    ({ overdueSeconds }) => overdueSeconds,
  )
}
