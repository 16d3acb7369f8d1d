import type { Reader } from '#base/db/db.ts'
import { wonToJson } from '#base/money.ts'
import { parseDate, seoulMidnight } from '#base/time/seoul-time.ts'
import { answers } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { type FieldRules, type InvalidField, toRecord, unlessText } from '#edge/http/invalid-fields.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { PartnerAuth } from '#edge/partner/partner-auth.ts'
import { listCardsOfPartner, readPlace, writePlace } from '#modules/gift-cards/list.ts'
import { EXAMPLE_IDS, giftUUIDs } from './card-schemas.ts'

// Partners say cancelled, as in the operation that does it.
const STATUSES = ['issued', 'used', 'cancelled', 'expired'] as const
const storedAs = (status: (typeof STATUSES)[number]) => (status === 'cancelled' ? 'voided' : status)

const STATUS = { type: 'string', description: 'As of now, in Seoul.', examples: ['issued'] }

const day = (description: string, example: string) =>
  Type.Optional(Type.String({ description, pattern: '^\\d{4}-\\d{1,2}-\\d{1,2}$', examples: [example] }))

const ListQuery = Type.Object({
  startDate: day('First day of issue, a Seoul day: YYYY-MM-DD or YYYY-M-D.', '2026-11-1'),
  endDate: day('Last day of issue, included.', '2026-11-30'),
  status: Type.Optional(Type.Enum(STATUSES, STATUS)),
  limit: Type.Optional(
    Type.String({
      description: 'How many cards an answer may have: a number from 1 to 500. Without it 100.',
      pattern: '^(?:[1-9]\\d?|[1-4]\\d\\d|500)$',
      examples: ['100'],
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      description: 'The `nextCursor` of the answer before, with the same filters.',
      minLength: 1,
      maxLength: 100,
      examples: [writePlace({ microseconds: 1_763_175_845_000_000n, id: EXAMPLE_IDS.giftId })],
    }),
  ),
})

const ListAnswer = object(
  'GiftCardsAnswer',
  {
    result: Type.Literal('Success'),
    data: object('GiftCards', {
      giftCards: Type.Array(
        object('ListedGiftCard', {
          ...giftUUIDs,
          number: Type.Integer({ description: "The card's number, which the look-up answers as `giftId`." }),
          amount: Type.Integer({ description: 'Won credited to the recipient.' }),
          status: choice('GiftCardStatus', STATUSES, STATUS),
          issuedAt: Type.String({ format: 'date-time' }),
          expires: Type.String({
            format: 'date',
            description: 'Last day on which it can be redeemed, in Seoul.',
          }),
        }),
      ),
      nextCursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Where the list goes on; null at its end.',
      }),
    }),
  },
  {
    description: 'The cards, the newest first.',
    examples: [
      {
        result: 'Success',
        data: {
          giftCards: [
            {
              ...EXAMPLE_IDS,
              number: 4821739051827364,
              amount: 50000,
              status: 'issued',
              issuedAt: '2026-11-15T03:04:05.000Z',
              expires: '2027-11-15',
            },
          ],
          nextCursor: null,
        },
      },
    ],
  },
)

const REAL_DATE = 'must be a real date'

function badParts(query: unknown): InvalidField[] {
  const { startDate, endDate, cursor } = toRecord(query)
  const bad = (parameter: string, detail: string, value: unknown, holds: (text: string) => boolean) =>
    unlessText(value, holds) ? [] : [{ parameter, detail }]
  return [
    ...bad('startDate', REAL_DATE, startDate, (text) => parseDate(text) !== undefined),
    ...bad('endDate', REAL_DATE, endDate, (text) => parseDate(text) !== undefined),
    ...bad('cursor', 'must be the nextCursor of an answer', cursor, (text) => readPlace(text) !== undefined),
  ]
}

const fieldRules: FieldRules = ({ query }) => badParts(query)

// For reconciliation: a partner finds every card it bought, also one whose answer it lost.
export function registerList(server: Server, deps: { database: Reader }, auth: PartnerAuth): void {
  server.get(
    '/v2/partner/metal/giftcard',
    {
      ...auth.withKey('giftcards:read'),
      config: { fieldRules },
      schema: {
        operationId: 'listGiftCards',
        summary: 'List gift cards (extension)',
        description:
          "The calling partner's cards, the newest first. A card that is bought while you page does not move the others. " +
          'With `status` an answer may have few cards or none and still have a `nextCursor`: go on until it is null.',
        tags: ['Gift cards'],
        querystring: ListQuery,
        response: { 200: ListAnswer, ...answers(400, 401, 403, 429, 500, 503) },
      },
    },
    async (request) => {
      const bad = badParts(request.query)
      if (bad.length > 0) throw new ApiError('invalid_request', bad)
      const { status, limit = '100', cursor } = request.query
      const { from, until } = periodOf(request.query)
      const { cards, next } = await listCardsOfPartner(deps.database, {
        partnerId: request.caller!.partner.id,
        status: status && storedAs(status),
        from,
        until,
        after: cursor === undefined ? undefined : readPlace(cursor),
        limit: Number(limit),
      })
      return {
        result: 'Success' as const,
        data: {
          giftCards: cards.map((card) => ({
            txId: card.txId,
            giftId: card.id,
            // Below 2^53, so a JavaScript number holds it exactly.
            number: Number(card.number),
            amount: wonToJson(card.amount),
            status: card.status === 'voided' ? ('cancelled' as const) : card.status,
            issuedAt: instantText(card.issuedAt),
            expires: card.expiresOn,
          })),
          nextCursor: next ? writePlace(next) : null,
        },
      }
    },
  )
}

// The first moment of the first day, and the one after the last day.
function periodOf({ startDate, endDate }: { startDate?: string; endDate?: string }) {
  const [start, end] = [startDate, endDate].map((text) => (text === undefined ? undefined : parseDate(text)))
  if (start && end && Temporal.PlainDate.compare(start, end) > 0)
    throw new ApiError('invalid_request', [{ parameter: 'startDate', detail: 'must not be after endDate' }])
  return { from: start && seoulMidnight(start), until: end && seoulMidnight(end.add({ days: 1 })) }
}
