import type { FastifyRequest } from 'fastify'
import { wonToJson } from '#base/money.ts'
import { parseDate, seoulDate } from '#base/seoul-time.ts'
import { badField } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import type { Server } from '#edge/http/types.ts'
import type { ReadActs, ReadHistory, ReadStatement, Statement } from '#flows/holdings/read-history.ts'
import type { HeldMetal, ReadHoldings } from '#flows/holdings/read-holdings.ts'
import { gramsText } from '#modules/pricing/rules.ts'
import type { Gain } from '#modules/pricing/types.ts'
import type { Access } from './access.ts'
import { ASSET_OF } from './metals.ts'
import { actJson, movementJson } from './movement-json.ts'
import { statementCsv } from './statement-csv.ts'
import { statementJson } from './statement-json.ts'
import { TRADE_ROUTES } from './trade-routes.ts'

interface Deps {
  readHoldings: ReadHoldings
  readHistory: ReadHistory
  readActs: ReadActs
  readStatement: ReadStatement
}

export function registerAssets(scope: Server, deps: Deps, access: Access): void {
  const { getAssets, getHistory, getActs } = TRADE_ROUTES
  scope.get(getAssets.url, { schema: getAssets.schema }, async (request) => {
    const { holderId } = await access.visitor(request)
    const { asOf, totalValue, points, deposit, gold, silver, gain } = await deps.readHoldings(holderId)
    return {
      asOf: instantText(asOf),
      totalValue: wonToJson(totalValue),
      points: wonToJson(points),
      deposit: wonToJson(deposit),
      gold: metalJson(gold),
      silver: metalJson(silver),
      gain: gainJson(gain),
    }
  })

  scope.get(getHistory.url, { schema: getHistory.schema }, async (request) => {
    const { holderId } = await access.visitor(request)
    const { asset, cursor } = request.query
    const page = await deps.readHistory(holderId, { asset: asset && ASSET_OF[asset], cursor })
    if (page === 'bad_cursor') throw badField(request, 'cursor', 'must be one that we gave')
    return { movements: page.movements.map(movementJson), next: page.next }
  })

  scope.get(getActs.url, { schema: getActs.schema }, async (request) => {
    const { holderId } = await access.visitor(request)
    const { asset, cursor } = request.query
    const page = await deps.readActs(holderId, { asset: asset && ASSET_OF[asset], cursor })
    if (page === 'bad_cursor') throw badField(request, 'cursor', 'must be one that we gave')
    return { acts: page.acts.map(actJson), next: page.next }
  })
  registerStatements(scope, deps, access)
}

function registerStatements(scope: Server, deps: Deps, access: Access): void {
  const { getStatement, getStatementCsv } = TRADE_ROUTES
  scope.get(getStatement.url, { schema: getStatement.schema }, async (request) => {
    const { holderId, maskedName } = await access.visitor(request)
    const { from, to } = request.query
    const statement = await readStatement(deps, request, holderId, { from, to })
    return { from, to, name: maskedName, ...statementJson(statement) }
  })

  scope.get(getStatementCsv.url, { schema: getStatementCsv.schema }, async (request, reply) => {
    const { holderId } = await access.visitor(request)
    const { from, to, lang } = request.query
    const statement = await readStatement(deps, request, holderId, { from, to })
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="ingot-${from}-${to}.csv"`)
      .send(statementCsv(statement, lang ?? 'ko') as never)
  })
}

const MAX_DAYS = 366

export async function readStatement(
  deps: Pick<Deps, 'readStatement'>,
  request: FastifyRequest,
  holderId: string,
  period: { from: string; to: string; limit?: number },
): Promise<Statement> {
  const from = parseDate(period.from)
  const to = parseDate(period.to)
  if (!from || !to || Temporal.PlainDate.compare(from, to) > 0) {
    throw badField(request, 'from', 'must be a real date, not after `to`')
  }
  if (from.until(to).days >= MAX_DAYS) throw badField(request, 'to', `must be within ${MAX_DAYS} days`)
  const statement = await deps.readStatement(holderId, { ...period, from, to })
  if (statement === 'too_long') throw badField(request, 'from', 'must be later: there are too many movements')
  if (Temporal.PlainDate.compare(from, seoulDate(statement.madeAt)) > 0) {
    throw badField(request, 'from', 'must not be in the future')
  }
  return statement
}

function metalJson({ units, wonPerGram, value, cost, gain }: HeldMetal) {
  return {
    grams: gramsText(units),
    pricePerGram: wonToJson(wonPerGram),
    value: wonToJson(value),
    cost: wonToJson(cost),
    gain: gainJson(gain),
  }
}

function gainJson({ won, percent }: Gain) {
  return { won: wonToJson(won), percent }
}
