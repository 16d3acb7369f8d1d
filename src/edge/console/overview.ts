import { wonToJson } from '#base/money.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { NEEDS } from '#flows/overview/needs.ts'
import type { Overview, ReadOverview } from '#flows/overview/read-overview.ts'
import type { CardsAndWon, DayFigures, PartnerFigures } from '#modules/figures/read.ts'
import type { ConsoleAccess } from './access.ts'
import { FAILURES, failureJson } from './delivery-failures.ts'
import { STAFF_ONLY } from './refusal-lists.ts'

const count = Type.Integer({ minimum: 0 })
const won = Type.Integer({ description: 'Won.' })
const seconds = Type.Integer({ description: 'Seconds.' })
const moment = Type.String({ format: 'date-time' })
const day = Type.String({ format: 'date', description: 'A day in Seoul.' })
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()])
const CARDS = object('CardFigure', { cards: count, won })
const CHANNEL = Type.String({ description: '`alimtalk`, `text`, or `notice` for texts to members.' })
const TRADING = choice('MetalTrading', ['open', 'stale', 'stopped'])

const DAY = object('DayFigures', {
  day,
  issued: CARDS,
  used: CARDS,
  voided: CARDS,
  expired: CARDS,
  members: count,
  orders: count,
  ordersWon: won,
  withdrawals: count,
  withdrawalsWon: won,
  delivered: count,
  failed: count,
})

const HEALTH = object('ServiceHealth', {
  worker: orNull(Type.String({ description: 'running, starting, paused, standing still; null: none here.' })),
  writesFail: Type.Boolean(),
  providers: Type.Array(
    object('ProviderHealth', { provider: Type.String(), channel: CHANNEL, isDown: Type.Boolean() }),
  ),
  queue: Type.Array(
    object('QueueFigure', { channel: CHANNEL, status: Type.String(), count, overdueSeconds: seconds }),
  ),
  prices: Type.Array(
    object('FeedHealth', {
      metal: Type.String(),
      ageSeconds: seconds,
      heldBack: Type.Integer({ description: 'Readings not believed since the service started.' }),
    }),
  ),
  alarms: Type.Array(Type.String(), { description: 'Kinds of guesses whose alarm is on.' }),
  verification: object('VerificationHealth', { ok: orNull(Type.Boolean()), ageSeconds: seconds }),
  backup: orNull(
    object('BackupHealth', {
      archive: choice('BackupArchive', ['works', 'fails', 'given_up']),
      ageSeconds: orNull(seconds),
    }),
  ),
  restoration: orNull(object('RestorationHealth', { unverified: count, messagesHeld: count, silent: count })),
})

const OverviewAnswer = object(
  'Overview',
  {
    at: moment,
    today: DAY,
    outstanding: CARDS,
    large: CARDS,
    expiring: Type.Array(
      object('ExpiringFigure', { days: count, from: day, through: day, cards: count, won }),
    ),
    counting: object(
      'CountingFigure',
      { lagSeconds: seconds, counted: count, total: count },
      { description: 'How far the figures are behind, and the progress of counting the past.' },
    ),
    failures: FAILURES,
    metals: Type.Array(
      object('MetalHealth', {
        metal: Type.String(),
        trading: TRADING,
        wonPerGram: orNull(won),
        ageSeconds: orNull(seconds),
        maxAgeSeconds: seconds,
      }),
    ),
    health: HEALTH,
    needs: Type.Array(
      object('Need', {
        kind: choice('NeedKind', NEEDS),
        count: orNull(count),
        names: Type.Array(Type.String()),
        seconds: orNull(seconds),
        won: orNull(won),
      }),
      { description: 'What needs a person now, the most pressing first.' },
    ),
    wellSince: orNull(moment),
  },
  { description: 'What is going on now. Cached for a second or two: all open consoles share one reading.' },
)

const DaysQuery = Type.Object({
  days: Type.Optional(Type.Enum(['7', '30', '365'], { type: 'string' })),
  partner: Type.Optional(
    Type.String({ maxLength: 64, description: 'Code of a partner: cards of this one only.' }),
  ),
})

const DaysAnswer = object(
  'OverviewDays',
  {
    days: Type.Array(DAY, { description: 'Oldest first, today last.' }),
    partners: Type.Array(
      object('PartnerFigures', {
        code: Type.String(),
        name: Type.String(),
        issued: count,
        issuedWon: won,
        used: count,
        usedWon: won,
      }),
      { description: 'The partners with the most issued in these days, 20 at most.' },
    ),
  },
  { description: 'Figures by day, from roll-ups.' },
)

const ROUTES = {
  overview: {
    operationId: 'overview',
    summary: 'What is going on, and what needs a person',
    description: 'Takes `overview.read`.',
    tags: ['Overview'],
    response: { 200: OverviewAnswer, ...refusals(...STAFF_ONLY) },
  },
  days: {
    operationId: 'overviewDays',
    summary: 'Figures by day',
    description: 'Takes `overview.read`.',
    tags: ['Overview'],
    querystring: DaysQuery,
    response: { 200: DaysAnswer, ...refusals('not_found', ...STAFF_ONLY) },
  },
} as const

interface OverviewDeps {
  readOverview: ReadOverview
  readDays(days: number, partnerId: number | null): Promise<DayFigures[]>
  findPartnerId(code: string): Promise<number | undefined>
  readPartnerFigures(days: number): Promise<PartnerFigures[]>
}

// Open pages ask every few seconds, so all of them share one cached reading.
export function registerOverview(scope: Server, deps: OverviewDeps, access: ConsoleAccess): void {
  const may = access.may('overview.read', 'operator')
  scope.get('/overview', { ...may, schema: ROUTES.overview }, async () =>
    overviewJson(await deps.readOverview()),
  )
  scope.get('/overview/days', { ...may, schema: ROUTES.days }, async (request) => {
    const days = Number(request.query.days ?? '30')
    const { partner } = request.query
    // Null asks for all partners. Undefined is a code that no partner has.
    const partnerId = partner === undefined ? null : await deps.findPartnerId(partner)
    if (partnerId === undefined) throw new ApiError('not_found')
    return {
      days: (await deps.readDays(days, partnerId)).map(dayJson),
      partners: (await deps.readPartnerFigures(days)).map((row) => ({
        code: row.code,
        name: row.name,
        issued: Number(row.issued),
        issuedWon: wonToJson(row.issuedWon),
        used: Number(row.used),
        usedWon: wonToJson(row.usedWon),
      })),
    }
  })
}

const cardsJson = ({ cards, won }: CardsAndWon) => ({ cards: Number(cards), won: wonToJson(won) })

function dayJson(figures: DayFigures) {
  const { day, issued, used, voided, expired } = figures
  return {
    day,
    issued: cardsJson(issued),
    used: cardsJson(used),
    voided: cardsJson(voided),
    expired: cardsJson(expired),
    members: Number(figures.members),
    orders: Number(figures.orders),
    ordersWon: wonToJson(figures.ordersWon),
    withdrawals: Number(figures.withdrawals),
    withdrawalsWon: wonToJson(figures.withdrawalsWon),
    delivered: Number(figures.delivered),
    failed: Number(figures.failed),
  }
}

function overviewJson({ stock, today, counting, failures, metals, health, needs, wellSince }: Overview) {
  // These are in the list of needs already, where they ask for a person.
  const { withdrawals: _, figuresLagSeconds: __, safeguardGapWon: ___, ...shown } = health
  return {
    at: instantText(stock.at),
    today: dayJson(today),
    outstanding: cardsJson(stock.outstanding),
    large: cardsJson(stock.large),
    expiring: stock.expiring.map(({ days, through, cards, won }) => ({
      days,
      // Both days go along, so that the figure leads to the list of exactly these cards.
      from: stock.today,
      through,
      ...cardsJson({ cards, won }),
    })),
    counting: {
      lagSeconds: Math.round(counting.lagSeconds),
      counted: Number(counting.counted),
      total: Number(counting.total),
    },
    failures: failures.map(failureJson),
    metals: metals.map((metal) => ({
      ...metal,
      wonPerGram: metal.wonPerGram === null ? null : wonToJson(metal.wonPerGram),
    })),
    health: shown,
    needs: needs.map((need) => ({
      ...need,
      seconds: need.seconds === null ? null : Math.round(need.seconds),
    })),
    wellSince: wellSince === null ? null : instantText(wellSince),
  }
}
