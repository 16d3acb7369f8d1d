import type { Reader } from '#base/db/db.ts'
import { wonToJson } from '#base/money.ts'
import { parseDate } from '#base/time/seoul-time.ts'
import { answers } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { type FieldRules, type InvalidField, toRecord, unlessText } from '#edge/http/invalid-fields.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { PartnerAuth } from '#edge/partner/partner-auth.ts'
import { parsePeriod } from '#modules/usage/rules.ts'
import { sumUsage } from '#modules/usage/store.ts'

const dateParameter = (description: string, example: string) =>
  // Days without a leading zero are accepted, because the interface's own example has one.
  Type.String({ description, pattern: '^\\d{4}-\\d{1,2}-\\d{1,2}$', examples: [example] })

const UsageQuery = Type.Object({
  startDate: dateParameter('First day of the period, a Seoul day: YYYY-MM-DD or YYYY-M-D.', '2026-11-1'),
  endDate: dateParameter('Last day of the period, included. Ten years at most.', '2026-11-30'),
})

const UsageAnswer = object(
  'Usage',
  {
    startDate: Type.String({ description: 'As sent.' }),
    endDate: Type.String({ description: 'As sent.' }),
    totalIssued: Type.Integer({ description: 'Won of cards issued in the period, voided ones taken out.' }),
    totalUsed: Type.Integer({ description: 'Won of cards redeemed in the period.' }),
    totalUsedInIssued: Type.Integer({
      description: 'Of the cards issued in the period, the won redeemed so far.',
    }),
  },
  {
    description: 'The totals of the period.',
    examples: [
      {
        startDate: '2026-11-1',
        endDate: '2026-11-30',
        totalIssued: 1250000,
        totalUsed: 300000,
        totalUsedInIssued: 250000,
      },
    ],
  },
)

// Each day by itself, so that the answer names the wrong one.
function badDays(startDate: unknown, endDate: unknown): InvalidField[] {
  return Object.entries({ startDate, endDate }).flatMap(([parameter, day]) =>
    unlessText(day, (text) => parseDate(text) !== undefined)
      ? []
      : [{ parameter, detail: 'must be a real date' }],
  )
}

const fieldRules: FieldRules = ({ query }) => {
  const { startDate, endDate } = toRecord(query)
  return badDays(startDate, endDate)
}

// Usage is summed by day when cards are written, so a year's total reads few rows.
export function registerUsage(server: Server, deps: { database: Reader }, auth: PartnerAuth): void {
  server.get(
    '/v2/partner/usage',
    {
      ...auth.withKey('usage:read'),
      config: { fieldRules },
      schema: {
        operationId: 'usageTotals',
        summary: 'Usage totals of a period',
        description: 'What the partner settles on. Both days are included; days are Seoul days.',
        tags: ['Usage'],
        querystring: UsageQuery,
        response: { 200: UsageAnswer, ...answers(400, 401, 403, 429, 500, 503) },
      },
    },
    async (request) => {
      const { startDate, endDate } = request.query
      const period = parsePeriod(startDate, endDate)
      if (!period) {
        const detail = 'must be a real date, not after endDate, within ten years of it'
        const bad = badDays(startDate, endDate)
        throw new ApiError('invalid_request', bad.length > 0 ? bad : [{ parameter: 'startDate', detail }])
      }
      // Sums of a day, kept by every purchase: a year is a few hundred rows, however many cards there were.
      const totals = await sumUsage(deps.database, request.caller!.partner.id, period.start, period.end)
      return {
        startDate,
        endDate,
        totalIssued: wonToJson(totals.issued),
        totalUsed: wonToJson(totals.used),
        totalUsedInIssued: wonToJson(totals.usedInIssued),
      }
    },
  )
}
