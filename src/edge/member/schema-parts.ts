import Type from 'typebox'
import { choice } from '#edge/http/named-schemas.ts'

// Shared parts of the schemas of trades and of the history.
export const moment = Type.String({ format: 'date-time', examples: ['2026-11-15T03:00:00Z'] })
export const won = Type.Integer({ description: 'Won.', minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const signedWon = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
export const grams = Type.String({ pattern: '^[0-9]+\\.[0-9]{4}$', examples: ['1.2345'] })
export const percent = Type.String({
  description: 'Percent with two places.',
  pattern: '^-?[0-9]+\\.[0-9]{2}$',
})
export const metal = choice('Metal', ['gold', 'silver'])
export const side = choice('Side', ['buy', 'sell'])
export const WITHDRAWAL_STATUS = choice('WithdrawalStatus', [
  'requested',
  'approved',
  'paid',
  'cancelled',
  'refused',
])
