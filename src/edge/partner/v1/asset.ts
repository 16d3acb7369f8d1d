import type { FastifyRequest } from 'fastify'
import { wonToJson } from '#base/money.ts'
import { answers } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { PartnerAuth } from '#edge/partner/partner-auth.ts'
import type { LookUpAssets, MetalHolding } from '#flows/holdings/look-up-assets.ts'
import { gramsText } from '#modules/pricing/rules.ts'
import { acceptOtherSpellings, userKeyOf } from './user-key.ts'
import { KEY_OR_NETWORK, partner, partnerKey, UserBody } from './user-schemas.ts'

const AssetQuery = Type.Object({ source: partner, partnerKey })

const MetalAsset = object('MetalAsset', {
  grams: Type.String({ description: 'Decimal text with four places.', examples: ['1.2345'] }),
  pricePerGram: Type.Integer({ description: 'Won.' }),
  value: Type.Integer({ description: 'Won, rounded down.' }),
})

const AssetAnswer = object(
  'Assets',
  {
    partner: Type.String(),
    partnerKey: Type.String(),
    asOf: Type.String({ format: 'date-time' }),
    currency: Type.Literal('KRW'),
    points: Type.Integer({ description: 'Won of points, which buy gold and silver.' }),
    deposit: Type.Integer({ description: 'Won from selling metal.' }),
    gold: MetalAsset,
    silver: MetalAsset,
    totalValue: Type.Integer({ description: 'Won: points, deposit, and the value of gold and silver.' }),
  },
  {
    description: "The user's assets at the current price.",
    examples: [
      {
        partner: 'narae-shop',
        partnerKey: 'NR-00000001',
        asOf: '2026-11-15T03:00:00.000Z',
        currency: 'KRW',
        points: 50000,
        deposit: 12000,
        gold: { grams: '1.2345', pricePerGram: 198500, value: 245048 },
        silver: { grams: '10.0000', pricePerGram: 2480, value: 24800 },
        totalValue: 331848,
      },
    ],
  },
)

const URL = '/v1/partners/user/asset/gross'

const DOCUMENTED = {
  summary: "Look up a user's assets",
  description:
    'Points, deposit, gold and silver at the current price. GET and POST answer alike; POST keeps a custom key ' +
    'out of the URL.',
  tags: ['Users'],
  security: [...KEY_OR_NETWORK],
}

// GET and POST answer alike. POST keeps a custom key out of addresses and logs.
export function registerAsset(server: Server, deps: { lookUpAssets: LookUpAssets }, auth: PartnerAuth): void {
  // Both spellings of the partner are read. Each method documents the first one.
  const byQuery = auth.named('users:read', ['source', 'partner'])
  const byBody = auth.named('users:read', ['partner', 'source'])

  async function answer(request: FastifyRequest, partnerKey: string) {
    const { partner } = request.caller!
    const userKey = userKeyOf(request, partnerKey)
    const outcome = await deps.lookUpAssets(partner.id, userKey)
    // Another partner's user key is unknown here: keys are looked up within the calling partner.
    if (outcome.kind === 'not_found') throw new ApiError('not_found')
    // Before the refusal below, so that support finds the refused call at its user.
    request.about = { kind: 'user', id: outcome.linkId }
    if (outcome.kind === 'user_suspended') throw new ApiError('forbidden').because('user_suspended')
    const { asOf, points, deposit, gold, silver, totalValue } = outcome.assets
    return {
      partner: partner.code,
      partnerKey: userKey,
      asOf: instantText(asOf),
      currency: 'KRW' as const,
      points: wonToJson(points),
      deposit: wonToJson(deposit),
      gold: metal(gold),
      silver: metal(silver),
      totalValue: wonToJson(totalValue),
    }
  }

  const refusals = [400, 401, 403, 404, 429, 500, 503]
  server.get(
    URL,
    {
      onRequest: byQuery.onRequest,
      preValidation: [byQuery.preValidation, acceptOtherSpellings('source', 'partnerKey')],
      schema: {
        operationId: 'lookUpAssets',
        ...DOCUMENTED,
        querystring: AssetQuery,
        response: { 200: AssetAnswer, ...answers(...refusals) },
      },
    },
    (request) => answer(request, request.query.partnerKey),
  )
  server.post(
    URL,
    {
      onRequest: byBody.onRequest,
      preValidation: [byBody.preValidation, acceptOtherSpellings('partner', 'partnerKey')],
      ...jsonBody,
      schema: {
        operationId: 'lookUpAssetsByPost',
        ...DOCUMENTED,
        body: UserBody,
        response: { 200: AssetAnswer, ...answers(...refusals, 413, 415) },
      },
    },
    (request) => answer(request, request.body.partnerKey),
  )
}

function metal({ units, wonPerGram, value }: MetalHolding) {
  return { grams: gramsText(units), pricePerGram: wonToJson(wonPerGram), value: wonToJson(value) }
}
