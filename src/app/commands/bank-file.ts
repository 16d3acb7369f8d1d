import { readFile } from 'node:fs/promises'
import { type Command, table } from '#app/command.ts'
import { askerOf } from '#app/commands/approval.ts'
import { paymentWords } from '#app/commands/partner-words.ts'
import { orRefuse, Refused } from '#app/refused.ts'
import { formatWon, wonToJson } from '#base/money.ts'
import { requestPayment } from '#flows/partners/book-payment.ts'
import { matchBankFile } from '#flows/settlement/match-bank-file.ts'
import type { BankFileRefusal } from '#modules/settlement/bank-file.ts'

const WORDS: Record<BankFileRefusal, string> = {
  file_too_large: 'the file is larger than 10 MB',
  encoding_unknown: 'the file is neither UTF-8 nor CP949 nor UTF-16',
  quote_open: 'a quote in the file never ends',
  columns_missing:
    'the file has no line with the names of a date, a deposit and a payer column (거래일시, 입금액, 적요)',
  amount_unreadable: 'the deposit is no whole number of won',
  date_unreadable: 'the date cannot be read',
  other_currency: 'the amount is in another currency: only won are booked',
  totals_differ: 'the total is not the sum of the deposits above it',
  file_empty: 'the file has no deposit',
}

function bankWords(refusal: { reason: BankFileRefusal; line: number | null; text: string }): string {
  const at = refusal.line === null ? '' : ` (line ${refusal.line}: ${refusal.text})`
  return `${WORDS[refusal.reason]}${at}. Nothing was written`
}

export const statementMatch: Command = {
  usage:
    'statement match FILE [--request] [--as NAME]\n' +
    'Suggests which statements the deposits of a bank’s CSV file pay. --request asks to book those that are certain.',
  summary: "compare a bank's CSV file with open statements; --request asks for the payments that are certain",
  positionals: ['file'],
  options: { request: { type: 'boolean' }, as: { type: 'string' } },
  async run(context) {
    const { runtime, args, options } = context
    const bytes = await readFile(args.file!).catch((error) => {
      throw new Refused(`${args.file} cannot be read: ${error.code}`)
    })
    const { encoding, matches } = orRefuse(await matchBankFile(runtime.database, bytes), bankWords)
    const { asker, approve } = askerOf(context, ['payment'])
    const rows = []
    for (const { deposit, sure, partner, statements } of matches) {
      const row = { ...deposit, won: wonToJson(deposit.won), sure, partner, statements, request: 'none' }
      rows.push(row)
      if (options.request !== true || sure !== 'certain') continue
      // Each by itself: one that is refused leaves the others as they are. The same file again finds them by their reference.
      const command = {
        code: partner!,
        reference: deposit.reference,
        won: deposit.won,
        statements,
        prepay: false,
      }
      const asked = await requestPayment(runtime.database, { ...command, reason: 'bank file', ...asker })
      if (asked.kind === 'refused') row.request = paymentWords(asked)
      else if (asked.kind === 'waiting')
        row.request = (await approve(asked.request)) ? 'booked' : asked.request.id
      else row.request = asked.kind
    }
    const shown = rows.map((row) => [
      String(row.line),
      row.date,
      row.payer,
      formatWon(BigInt(row.won)),
      row.sure,
      row.partner ?? '–',
      row.statements.join(', '),
      row.request,
    ])
    const header = ['line', 'date', 'payer', 'won', 'match', 'partner', 'statements', 'request']
    return { json: { encoding, rows }, text: table(header, shown) }
  },
}
