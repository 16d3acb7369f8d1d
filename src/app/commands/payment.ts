import { type Command, readReason, table, text, texts } from '#app/command.ts'
import { askerOf, waitingText } from '#app/commands/approval.ts'
import { noPartner, paymentWords } from '#app/commands/partner-words.ts'
import { orRefuse, Refused } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { formatWon, wonToJson } from '#base/money.ts'
import { type PaymentOutcome, requestPayment, requestReversal } from '#flows/partners/book-payment.ts'
import type { ChangeRequest } from '#modules/approvals/types.ts'
import { findPartner } from '#modules/partners/store.ts'
import { listPayments } from '#modules/payments/store.ts'
import type { Payment } from '#modules/payments/types.ts'

// More would not be read in a terminal.
const LISTED = 500

function toJson({ id, reference, amount, at, reversedAt }: Payment) {
  return {
    id,
    reference,
    amount: wonToJson(amount),
    at: at.toString(),
    reversedAt: reversedAt?.toString() ?? null,
  }
}

type Granted = Exclude<PaymentOutcome, { kind: 'refused' }>

// Asked for and, if a second person is named, done.
async function settle(
  code: string,
  request: () => Promise<PaymentOutcome>,
  approve: (request: ChangeRequest) => Promise<boolean>,
) {
  const ask = async () => orRefuse(await request(), paymentWords)
  const asked = await ask()
  if (asked.kind !== 'waiting' || !(await approve(asked.request))) return answer(code, asked)
  const { won, reference } = asked.request.payload
  // Asked again, it answers with the payment that the approval booked.
  const { json } = answer(code, await ask())
  return { json, text: `${reference} (${formatWon(BigInt(won!))}) is ${json.status}` }
}

function answer(code: string, outcome: Granted) {
  if (outcome.kind === 'waiting') {
    const { id, payload } = outcome.request
    return {
      json: { id, status: 'waiting', partner: code, ...payload, won: Number(payload.won) },
      text: waitingText('partner', outcome.request),
    }
  }
  const { payment, kind } = outcome
  const when = kind === 'booked' ? payment.at : payment.reversedAt
  return {
    json: { ...toJson(payment), status: kind, partner: code },
    text: `${payment.reference} (${formatWon(payment.amount)}) was ${kind} at ${when}: nothing was done`,
  }
}

export const partnerPay: Command = {
  usage:
    'partner pay CODE WON --reference TEXT [--statement NUMBER …] [--prepay] [--reason TEXT] [--as NAME]\n' +
    '--statement names what it pays, in order; what is left is the partner’s deposit. ' +
    'A reference is booked once. More than the partner owes needs --prepay. In a sandbox --as NAME approves it in the same call.',
  summary: "ask to book a partner's payment, which a second person approves",
  positionals: ['code', 'won'],
  options: {
    reference: { type: 'string' },
    statement: { type: 'string', multiple: true },
    prepay: { type: 'boolean' },
    reason: { type: 'string' },
    as: { type: 'string' },
  },
  async run(context) {
    const { runtime, args, options } = context
    const code = args.code!
    // Nothing typed is repaired: `1,000` read as 1 would book a won.
    if (!/^[1-9]\d{0,15}$/.test(args.won!)) throw new UsageError('WON is a whole number, without commas')
    const reference = text(options, 'reference')
    if (reference === undefined)
      throw new UsageError('--reference says which payment it is, as the bank does')
    const { asker, approve } = askerOf(context, ['payment'])
    const payment = {
      code,
      reference,
      won: BigInt(args.won!),
      prepay: options.prepay === true,
      statements: texts(options, 'statement') ?? [],
      // The reference already says which payment it is, so a reason is not asked for.
      reason: options.reason === undefined ? 'partner pay' : readReason({ options }),
      ...asker,
    }
    return settle(code, () => requestPayment(runtime.database, payment), approve)
  },
}

export const partnerReversePayment: Command = {
  usage: 'partner reverse-payment CODE REFERENCE --reason TEXT [--as NAME]',
  summary: 'ask to reverse a payment that was booked by mistake, which a second person approves',
  positionals: ['code', 'reference'],
  options: { reason: { type: 'string' }, as: { type: 'string' } },
  async run(context) {
    const { runtime, args, options } = context
    const { asker, approve } = askerOf(context, ['payment_reversal'])
    const reversal = {
      code: args.code!,
      reference: args.reference!,
      reason: readReason({ options }),
      ...asker,
    }
    return settle(args.code!, () => requestReversal(runtime.database, reversal), approve)
  },
}

export const partnerPayments: Command = {
  usage: 'partner payments CODE',
  summary: "list a partner's payments, newest first, with both people",
  positionals: ['code'],
  options: {},
  async run({ runtime, args }) {
    const { db } = runtime.database
    const partner = await findPartner(db, args.code!)
    if (!partner) throw new Refused(noPartner({ partner: args.code! }))
    const payments = (await listPayments(db, partner.id, LISTED)).map((payment) => ({
      ...toJson(payment),
      askedBy: payment.askedBy,
      approvedBy: payment.approvedBy,
      reversedBy: payment.reversedBy,
    }))
    const rows = payments.map((one) => [
      one.at,
      formatWon(BigInt(one.amount)),
      one.reference,
      one.askedBy,
      one.approvedBy ?? '–',
      one.reversedAt === null ? '' : `reversed ${one.reversedAt} by ${one.reversedBy}`,
    ])
    const header = ['at', 'amount', 'reference', 'asked by', 'approved by', '']
    return { json: payments, text: rows.length > 0 ? table(header, rows) : 'there are none' }
  },
}
