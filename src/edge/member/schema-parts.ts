import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'

// What the schemas of several endpoints have in common. Won are integers; grams are decimal strings with four places.
export const moment = Type.String({ format: 'date-time', examples: ['2026-11-15T03:00:00Z'] })
// A reader in JavaScript rounds larger numbers.
export const won = Type.Integer({ description: 'Won.', minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const signedWon = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
// Text, because a JSON number is not exact about fractions.
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

// What every order and every quote tells of its deal.
export const DEAL = {
  side,
  metal,
  grams,
  reference: Type.Integer({ description: 'Won per gram, as the feed had it.', minimum: 1 }),
  price: Type.Integer({ description: 'Won per gram, the spread included.', minimum: 1 }),
  spreadPercent: percent,
  feePercent: percent,
}

export const NoContent = Type.Null({ description: 'Done.' })

// The pages check the same rule before they send (web/member/settings/login-id-field.tsx).
const LOGIN_ID = '^[a-z][a-z0-9_.-]{3,29}$'

export const loginId = Type.String({
  description: 'Small letters, digits, `_`, `.` and `-`; begins with a letter; 4 to 30 characters.',
  pattern: LOGIN_ID,
  examples: ['hana90'],
})

// One character is enough here: `weak_password` refuses short ones and tells more than a bad field.
export const password = Type.String({ description: '10 to 128 characters.', minLength: 1, maxLength: 128 })

export const gender = choice('Gender', ['F', 'M'])

// Identity verification: a code goes to the phone that the carrier knows the person by.
export const details = {
  name: Type.String({ minLength: 1, maxLength: 100, examples: ['김하나'] }),
  birthday: Type.String({ description: 'YYYYMMDD.', pattern: '^[0-9]{8}$', examples: ['19900131'] }),
  gender,
  mdn: Type.String({
    description: 'Mobile number; hyphens and spaces are ignored.',
    minLength: 9,
    maxLength: 20,
    examples: ['01000010001'],
  }),
  carrier: choice('Carrier', ['SKT', 'KT', 'LGU', 'SKT_MVNO', 'KT_MVNO', 'LGU_MVNO']),
}

export const ConfirmBody = object('VerificationCode', {
  // The identity provider decides how long its codes are.
  code: Type.String({ pattern: '^[0-9]{4,10}$', examples: ['000000'] }),
})

export const PIN = {
  description: 'Sixteen characters; hyphens and spaces are ignored.',
  minLength: 1,
  maxLength: 40,
}
