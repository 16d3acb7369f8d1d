import Type from 'typebox'

// What the schemas of trades and of the history have in common.
export const moment = Type.String({ format: 'date-time', examples: ['2026-11-15T03:00:00Z'] })
export const won = Type.Integer({ description: 'Won.', minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const signedWon = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
export const grams = Type.String({ pattern: '^[0-9]+\\.[0-9]{4}$', examples: ['1.2345'] })
export const percent = Type.String({
  description: 'Percent with two places.',
  pattern: '^-?[0-9]+\\.[0-9]{2}$',
})
export const metal = Type.Enum(['gold', 'silver'], { type: 'string' })
export const side = Type.Enum(['buy', 'sell'], { type: 'string' })
export const WITHDRAWAL_STATUS = Type.Enum(['requested', 'approved', 'paid', 'cancelled', 'refused'], {
  type: 'string',
})
