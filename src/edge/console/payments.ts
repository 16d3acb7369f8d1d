import { wonFromJson } from '#base/money.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import type { PaymentOutcome, requestPayment, requestReversal } from '#flows/partners/book-payment.ts'
import type { ConsoleAccess } from './access.ts'
import { personOf, refusedBy } from './acting-person.ts'
import { actRefusals, reason, WaitingAnswer } from './object-parts.ts'

interface PaymentDeps extends Pick<HttpDeps, 'keyMode' | 'trustedProxies'> {
  requestPayment(command: Parameters<typeof requestPayment>[1]): Promise<PaymentOutcome>
  requestReversal(command: Parameters<typeof requestReversal>[1]): Promise<PaymentOutcome>
}

const reference = Type.String({
  description: "The bank's word for the payment. One payment of a partner, for good.",
  minLength: 1,
  maxLength: 200,
})

const COMMON = {
  tags: ['Partners'],
  params: Type.Object({ code: Type.String({ minLength: 1, maxLength: 64 }) }),
  response: { 200: WaitingAnswer, ...actRefusals },
}

const SCHEMAS = {
  book: {
    ...COMMON,
    operationId: 'bookPayment',
    summary: "Ask to book a partner's payment",
    description: 'It waits for a second person. Asked for again, the first answer stands.',
    body: object('PaymentWish', {
      amount: Type.Integer({ description: 'Won.', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      reference,
      prepay: Type.Boolean({ description: 'The partner may pay more than it owes.' }),
      reason,
    }),
  },
  reverse: {
    ...COMMON,
    operationId: 'reversePayment',
    summary: 'Ask to reverse a payment that was booked by mistake',
    description: 'It waits for a second person.',
    body: object('ReversalWish', { reference, reason }),
  },
} as const

// A payment gives credit back, so it takes a proof here and a second person after it.
export function registerPayments(scope: Server, deps: PaymentDeps, access: ConsoleAccess): void {
  const proven = access.mayWithProof('payments.request', 'operator')

  scope.post(
    '/partners/:code/payments',
    { ...proven, schema: SCHEMAS.book, ...jsonBody },
    async (request) => {
      const { amount, ...wish } = request.body
      const { code } = request.params
      return answerOf(
        await deps.requestPayment({ ...personOf(deps, request), ...wish, code, won: wonFromJson(amount) }),
      )
    },
  )

  scope.post(
    '/partners/:code/payments/reverse',
    { ...proven, schema: SCHEMAS.reverse, ...jsonBody },
    async (request) => {
      const { code } = request.params
      return answerOf(await deps.requestReversal({ ...personOf(deps, request), ...request.body, code }))
    },
  )
}

// Not waiting: the same was approved before.
function answerOf(outcome: PaymentOutcome) {
  if (outcome.kind === 'refused') throw refusedBy(outcome)
  return outcome.kind === 'waiting'
    ? { waiting: true, requestId: outcome.request.id }
    : { waiting: false, requestId: null }
}
