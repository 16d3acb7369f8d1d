import { Buffer } from 'node:buffer'
import { wonFromJson, wonToJson } from '#base/money.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { PaymentOutcome, requestPayment } from '#flows/partners/book-payment.ts'
import type { matchBankFile } from '#flows/settlement/match-bank-file.ts'
import type { ConsoleAccess } from './access.ts'
import { personOf } from './acting-person.ts'
import { maybeText, reason, won } from './object-parts.ts'
import { STAFF_BODY } from './refusal-lists.ts'

// Some 10,000 rows: more would not be read on a page. The command line takes larger files.
const MOST_BYTES = 1024 * 1024
const MOST_PAYMENTS = 200
// Base64 makes four characters of three bytes. The rest is for the JSON around it.
export const BODY_BYTES = Math.ceil(MOST_BYTES / 3) * 4 + 1_024

const BankRow = object('BankRow', {
  line: Type.Integer({ description: 'In the file, from 1.' }),
  date: Type.String(),
  payer: Type.String(),
  won,
  reference: Type.String(),
  sure: choice('BankMatch', ['certain', 'likely', 'amount', 'none']),
  partner: maybeText,
  statements: Type.Array(Type.String()),
  known: Type.Union([choice('KnownPayment', ['booked', 'waiting']), Type.Null()], {
    description: 'A payment of this reference is there already.',
  }),
})

const Asked = object('AskedPayment', {
  reference: Type.String(),
  state: choice('AskedPaymentState', ['waiting', 'booked', 'refused']),
  requestId: maybeText,
  refusal: Type.Union([Type.String(), Type.Null()], { description: 'The stable code of the refusal.' }),
})

const tags = ['Statements']
const SCHEMAS = {
  match: {
    operationId: 'matchBankFile',
    summary: "Compare a bank's CSV file with open statements",
    description:
      'Writes nothing. A file that is not understood is refused by name; the pointer has its line, as `#/line/7`.',
    tags,
    body: object('BankFileToMatch', {
      file: Type.String({
        description: 'The bytes of the file, in base64. 1 MB at most.',
        maxLength: BODY_BYTES,
      }),
    }),
    response: {
      200: object('MatchedBankFile', {
        encoding: Type.String({ examples: ['utf-8', 'euc-kr', 'utf-16le'] }),
        rows: Type.Array(BankRow),
      }),
      ...refusals('conflict', ...STAFF_BODY),
    },
  },
  pay: {
    operationId: 'requestBankPayments',
    summary: "Ask to book payments of a bank's file, which a second person approves",
    description:
      'Each by itself: one that is refused leaves the others as they are. A reference is booked once.',
    tags,
    body: object('BankPayments', {
      payments: Type.Array(
        object('BankPayment', {
          partner: Type.String({ minLength: 1, maxLength: 64 }),
          reference: Type.String({ minLength: 1, maxLength: 100 }),
          won: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
          statements: Type.Array(Type.String({ maxLength: 120 }), { maxItems: 120 }),
        }),
        { minItems: 1, maxItems: MOST_PAYMENTS },
      ),
      prepay: Type.Boolean({ description: 'What is more than is owed becomes deposit.' }),
      reason,
    }),
    response: {
      200: object('AskedPayments', { payments: Type.Array(Asked) }),
      ...refusals('proof_required', ...STAFF_BODY),
    },
  },
} as const

interface BankFileDeps extends Pick<HttpDeps, 'keyMode' | 'trustedProxies'> {
  matchBankFile(bytes: Uint8Array): ReturnType<typeof matchBankFile>
  requestPayment(command: Parameters<typeof requestPayment>[1]): Promise<PaymentOutcome>
}

// Two steps: comparing the file writes nothing, and then each payment is asked for by itself.
export function registerBankFile(scope: Server, deps: BankFileDeps, access: ConsoleAccess): void {
  // The server's limit is made for the partner interface. A bank's file is larger.
  const may = { ...access.may('payments.request', 'operator'), bodyLimit: BODY_BYTES }
  scope.post('/bank-file', { ...may, schema: SCHEMAS.match, ...jsonBody }, async (request) => {
    // Nothing of the file is kept.
    const outcome = await deps.matchBankFile(bytesOf(request.body.file))
    if (outcome.kind === 'refused') {
      const pointer = outcome.line === null ? '#' : `#/line/${outcome.line}`
      throw new ApiError('conflict', [{ pointer, detail: outcome.reason }])
    }
    const rows = outcome.matches.map(({ deposit, ...match }) => ({
      ...deposit,
      won: wonToJson(deposit.won),
      ...match,
    }))
    return { encoding: outcome.encoding, rows }
  })

  const proven = access.mayWithProof('payments.request', 'operator')
  scope.post(
    '/bank-file/payments',
    { ...proven, schema: SCHEMAS.pay, bodyLimit: BODY_BYTES, ...jsonBody },
    async (request) => {
      const { payments, prepay, reason: why } = request.body
      const person = personOf(deps, request)
      const asked = []
      // One after the other: payments of one partner take the same locks, and each is decided by itself.
      for (const { partner: code, won: amount, reference, statements } of payments) {
        const command = {
          code,
          reference,
          won: wonFromJson(amount),
          statements,
          prepay,
          reason: why,
          ...person,
        }
        asked.push(askedJson(reference, await deps.requestPayment(command)))
      }
      return { payments: asked }
    },
  )
}

function bytesOf(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64')
  // Node skips what is no base64. Then a part of the file would be missing.
  if (bytes.toString('base64') !== text)
    throw new ApiError('invalid_request', [{ pointer: '#/file', detail: 'must be base64' }])
  return bytes
}

function askedJson(reference: string, outcome: PaymentOutcome) {
  const none = { requestId: null, refusal: null }
  if (outcome.kind === 'refused')
    return { reference, ...none, state: 'refused' as const, refusal: outcome.reason }
  if (outcome.kind === 'waiting')
    return { reference, ...none, state: 'waiting' as const, requestId: outcome.request.id }
  // Booked before under this reference: the first answer again.
  return { reference, ...none, state: 'booked' as const }
}
