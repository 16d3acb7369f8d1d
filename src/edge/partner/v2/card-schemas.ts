import { Type } from '#edge/http/json-schema.ts'
import { NAME } from '#edge/http/named-schemas.ts'
import { uuid } from '#edge/http/uuid.ts'

// What several endpoints about a card have in common.
export const giftUUIDs = {
  txId: uuid({ description: 'Identifier of the purchase.' }),
  giftId: uuid({ description: 'Identifier of the gift card.' }),
}

export const EXAMPLE_IDS = {
  txId: '019a8b1e-5b6c-7c1d-9a52-6f1f7b3c2d10',
  giftId: '019a8b1e-5b6c-7f04-8c11-0b9d8e7f6a55',
}

export const CardParams = Type.Object({
  // No UUID pattern: the look-up answers with the card's number, and partners send that back.
  giftUUID: Type.String({
    description: 'The giftId or txId of the purchase (a UUID, in either case), or the number of the card.',
    minLength: 1,
    maxLength: 64,
    examples: [EXAMPLE_IDS.giftId],
  }),
})

export const Channel = Type.Union([Type.Literal('alimtalk'), Type.Literal('text')], {
  [NAME]: 'Channel',
  description: 'The messaging-app notification, or the text message.',
})
