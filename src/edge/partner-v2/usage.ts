import { wonToJson } from '#base/money.ts'
import { answers } from '#edge/error-answers.ts'
import { ApiError } from '#edge/errors.ts'
import type { PartnerAuth } from '#edge/partner-auth.ts'
import type { EdgeDeps, Server } from '#edge/types.ts'
import { parsePeriod } from '#modules/usage/rules.ts'
import { sumUsage } from '#modules/usage/store.ts'
import { UsageAnswer, UsageQuery } from './schemas.ts'

export function registerUsage(server: Server, deps: EdgeDeps, auth: PartnerAuth): void {
  server.get(
    '/v2/partner/usage',
    {
      ...auth.withKey('usage:read'),
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
        throw new ApiError('invalid_request', [
          {
            parameter: 'startDate',
            detail: 'must be a real date, not after endDate, within ten years of it',
          },
        ])
      }
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
