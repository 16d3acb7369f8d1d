import { type Command, optionalReason, text, won } from '#app/command.ts'
import { askerOf, waitingText } from '#app/commands/approval.ts'
import { readDay } from '#app/commands/books.ts'
import { fundWords } from '#app/commands/report-words.ts'
import { orRefuse } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { wonToJson } from '#base/money.ts'
import { requestFund } from '#flows/reports/record-funds.ts'
import { SAFEGUARD_METHODS, type SafeguardedFund } from '#modules/prepaid/types.ts'

function toJson({ id, institution, method, asOf, won: amount, reference, at }: SafeguardedFund) {
  return { id, institution, method, asOf, won: wonToJson(amount), reference, at: at.toString() }
}

export const booksSafeguard: Command = {
  usage:
    'books safeguard INSTITUTION --method trust|deposit|guarantee --as-of DAY --won WON --reference TEXT [--reason TEXT] [--as NAME]\n' +
    'A second person approves it; in a sandbox --as NAME does so in the same call. WON is what the institution holds at the end of DAY.',
  summary: 'ask to record what an institution holds behind cards and points, which a second person approves',
  positionals: ['institution'],
  options: {
    method: { type: 'string' },
    'as-of': { type: 'string' },
    won: { type: 'string' },
    reference: { type: 'string' },
    reason: { type: 'string' },
    as: { type: 'string' },
  },
  async run(context) {
    const { runtime, args, options } = context
    const method = SAFEGUARD_METHODS.find((one) => one === text(options, 'method'))
    if (!method) throw new UsageError('--method is trust, deposit or guarantee')
    const asOf = text(options, 'as-of')
    if (asOf === undefined) throw new UsageError('--as-of takes the day at whose end the amount was held')
    const amount = won(options, 'won')
    if (amount === undefined) throw new UsageError('--won says what the institution holds')
    const { asker, approve } = askerOf(context, ['safeguard'])
    const command = {
      institution: args.institution!,
      method,
      asOf: readDay(asOf),
      won: amount,
      reference: text(options, 'reference') ?? '',
      reason: optionalReason(context),
      ...asker,
    }
    const asked = orRefuse(await requestFund(runtime.database, command), fundWords)
    if (asked.kind === 'recorded')
      return {
        json: { ...toJson(asked.fund), status: 'recorded' },
        text: `${asked.fund.reference} was recorded at ${asked.fund.at}: nothing was done`,
      }
    const isDone = await approve(asked.request)
    const { institution, reference } = command
    return {
      json: {
        id: asked.request.id,
        status: isDone ? 'recorded' : 'waiting',
        institution,
        method,
        asOf: command.asOf,
        won: wonToJson(amount),
        reference,
      },
      text: isDone ? `${reference} is recorded` : waitingText('approvals', asked.request),
    }
  },
}
