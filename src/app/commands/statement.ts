import { writeFile } from 'node:fs/promises'
import { type Command, type CommandContext, integer, optionalReason, table, text } from '#app/command.ts'
import { askerOf, waitingText } from '#app/commands/approval.ts'
import { readDay } from '#app/commands/books.ts'
import { noPartner } from '#app/commands/partner-words.ts'
import { billingWords, draftWords } from '#app/commands/statement-words.ts'
import { orRefuse, Refused } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { formatWon, wonToJson } from '#base/money.ts'
import { closeStatement, sendStatement } from '#flows/settlement/close-statement.ts'
import { draftStatement } from '#flows/settlement/draft-statement.ts'
import { statementPage } from '#flows/settlement/print-statement.ts'
import { statementCsv, statementRows, statementXlsx } from '#flows/settlement/render-statement.ts'
import { type BillingOutcome, setBilling } from '#flows/settlement/set-billing.ts'
import { findPartner } from '#modules/partners/store.ts'
import { fromText, lastDayOf, monthPeriod, openOf, statusOf, toText } from '#modules/settlement/rules.ts'
import { findStatement, listStatements, readStatementData } from '#modules/settlement/store.ts'
import {
  COMMISSION_BASES,
  type LegalDetails,
  type Period,
  type Statement,
} from '#modules/settlement/types.ts'

// More would not be read in a terminal.
const LISTED = 500
const PERIOD_OPTIONS = {
  month: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  'leave-earlier': { type: 'boolean' },
} as const

function readPeriod(options: CommandContext['options']): Period {
  const [month, from, to] = ['month', 'from', 'to'].map((name) => text(options, name))
  if (month !== undefined && from === undefined && to === undefined) {
    if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month)) throw new UsageError('--month is written 2026-11')
    return monthPeriod(month)
  }
  if (month !== undefined || from === undefined || to === undefined)
    throw new UsageError('a period is --month 2026-11, or --from DAY and --to DAY, the first day after it')
  return { from: readDay(from), to: readDay(to) }
}

const commandOf = (args: CommandContext['args'], options: CommandContext['options']) => ({
  code: args.code!,
  period: readPeriod(options),
  leaveEarlier: options['leave-earlier'] === true,
})

function toJson(statement: Statement) {
  const { number, partner, period, due, dueCommission, paid, paidCommission, hash } = statement
  return {
    number,
    partner,
    ...period,
    status: statusOf(statement),
    due: wonToJson(due),
    dueCommission: wonToJson(dueCommission),
    paid: wonToJson(paid),
    paidCommission: wonToJson(paidCommission),
    open: wonToJson(openOf(statement)),
    closedAt: statement.closedAt.toString(),
    closedBy: statement.closedBy,
    sentAt: statement.sentAt?.toString() ?? null,
    sentBy: statement.sentBy,
    sentWay: statement.sentWay,
    hash: hash.toString('hex'),
  }
}

const rowsText = (data: Parameters<typeof statementRows>[0]) =>
  table(
    ['section', 'item', 'detail', 'won', 'cards'],
    statementRows(data).map((row) => row.map(String)),
  )

export const statementDraft: Command = {
  usage: 'statement draft CODE --month MONTH | --from DAY --to DAY [--leave-earlier]',
  summary: "show a partner's statement of a period as it would be closed now",
  positionals: ['code'],
  options: PERIOD_OPTIONS,
  async run({ runtime, args, options }) {
    const command = commandOf(args, options)
    const { data } = orRefuse(await draftStatement(runtime.database, command), draftWords)
    return { json: { status: 'draft', ...JSON.parse(toText(data)) }, text: rowsText(data) }
  },
}

export const statementClose: Command = {
  usage:
    'statement close CODE --month MONTH | --from DAY --to DAY [--leave-earlier]\nA closed statement never changes. Its commission is booked with it.\n' +
    '--leave-earlier: movements before the first statement stay without one, because they were billed elsewhere.',
  summary: "close a partner's statement of a period",
  positionals: ['code'],
  options: PERIOD_OPTIONS,
  async run({ runtime, args, options, actor }) {
    const command = { ...commandOf(args, options), actor }
    const { kind, statement } = orRefuse(await closeStatement(runtime.database, command), draftWords)
    const due = formatWon(statement.due + statement.dueCommission)
    const said = kind === 'closed' ? 'is closed' : 'was closed before: nothing was done'
    return { json: toJson(statement), text: `${statement.number} ${said}; ${due} due` }
  },
}

export const statementSend: Command = {
  usage:
    'statement send NUMBER --way TEXT\nRecords that the partner was given it. --way says how, such as by mail.',
  summary: 'record that a closed statement was sent to the partner',
  positionals: ['number'],
  options: { way: { type: 'string' } },
  async run({ runtime, args, options, actor }) {
    const command = { number: args.number!, way: text(options, 'way') ?? '', actor }
    const { kind, statement } = orRefuse(await sendStatement(runtime.database, command), (refusal) =>
      refusal.reason === 'way_invalid'
        ? '--way says how it was sent, in 1 to 200 characters'
        : noStatement(refusal.number),
    )
    const said = kind === 'sent' ? 'is sent' : `was sent at ${statement.sentAt}: nothing was done`
    return { json: toJson(statement), text: `${statement.number} ${said}` }
  },
}

const noStatement = (number: string) => `there is no closed statement ${number}: see ingot statement list`

export const statementShow: Command = {
  usage:
    'statement show NUMBER [--format csv|xlsx|html --out FILE]\nFiles are made of what was stored when it was closed.',
  summary: 'show a closed statement, or write it as a file',
  positionals: ['number'],
  options: { format: { type: 'string' }, out: { type: 'string' } },
  async run({ runtime, args, options }) {
    const { db } = runtime.database
    const statement = await findStatement(db, args.number!)
    if (!statement) throw new Refused(noStatement(args.number!))
    const data = fromText(await readStatementData(db, statement.id))
    const [format, out] = [text(options, 'format'), text(options, 'out')]
    if ((format === undefined) !== (out === undefined)) throw new UsageError('--format and --out go together')
    if (format === undefined || out === undefined) {
      const { status, open } = toJson(statement)
      const head = `${statement.number}: ${status}, ${formatWon(BigInt(open))} open`
      return {
        json: { ...toJson(statement), data: JSON.parse(toText(data)) },
        text: `${head}\n${rowsText(data)}`,
      }
    }
    const digest = statement.hash.toString('hex')
    const files = {
      csv: () => statementCsv(data),
      xlsx: () => statementXlsx(data),
      html: () => statementPage(data, digest),
    }
    if (!(format in files)) throw new UsageError('--format is csv, xlsx or html')
    const file = await files[format as keyof typeof files]()
    // A file that is there is never overwritten.
    await writeFile(out, file, { flag: 'wx' }).catch((error) => {
      throw new Refused(`${out} cannot be written: ${error.code}`)
    })
    return { json: { file: out }, text: `${out} is written` }
  },
}

export const statementList: Command = {
  usage: 'statement list [--partner CODE]',
  summary: 'list closed statements, the newest period first, with what is open',
  positionals: [],
  options: { partner: { type: 'string' } },
  async run({ runtime, options }) {
    const { db } = runtime.database
    const code = text(options, 'partner')
    const partner = code === undefined ? undefined : await findPartner(db, code)
    if (code !== undefined && !partner) throw new Refused(noPartner({ partner: code }))
    const statements = await listStatements(db, { partnerId: partner?.id ?? null, limit: LISTED })
    const rows = statements.map((one) => [
      one.number,
      `${one.period.from} to ${lastDayOf(one.period)}`,
      statusOf(one),
      formatWon(one.due + one.dueCommission),
      formatWon(one.paid),
      formatWon(openOf(one)),
    ])
    const header = ['number', 'period', 'status', 'due', 'paid', 'open']
    return { json: statements.map(toJson), text: rows.length > 0 ? table(header, rows) : 'there are none' }
  },
}

const LEGAL: Record<string, keyof LegalDetails> = {
  'legal-name': 'legalName',
  'business-number': 'businessNumber',
  representative: 'representative',
  address: 'address',
}

export const partnerBilling: Command = {
  usage:
    'partner billing CODE [--legal-name TEXT] [--business-number TEXT] [--representative TEXT] [--address TEXT] [--commission BPS --of issued|used --from DAY] [--reason TEXT] [--as NAME]\n' +
    'BPS: hundredths of a percent, 150 is 1.5%. A commission waits for a second person (`partner approve`); in a sandbox --as NAME\n' +
    'approves it in the same call. Without options it shows what is set.',
  summary: "show or set a partner's company details and commission, for its statements",
  positionals: ['code'],
  options: {
    'legal-name': { type: 'string' },
    'business-number': { type: 'string' },
    representative: { type: 'string' },
    address: { type: 'string' },
    commission: { type: 'string' },
    of: { type: 'string' },
    from: { type: 'string' },
    reason: { type: 'string' },
    as: { type: 'string' },
  },
  async run(context) {
    const { runtime, args, options } = context
    const legal = Object.fromEntries(
      Object.entries(LEGAL)
        .map(([option, field]) => [field, text(options, option)] as const)
        .filter(([, value]) => value !== undefined),
    )
    const bps = integer(options, 'commission')
    const [base, from] = [COMMISSION_BASES.find((one) => one === text(options, 'of')), text(options, 'from')]
    if (bps !== undefined && (base === undefined || from === undefined))
      throw new UsageError('--commission goes with --of issued or used, and with --from DAY')
    if (bps === undefined && (options.of !== undefined || from !== undefined))
      throw new UsageError('--of and --from go with --commission')
    const rate = bps === undefined ? undefined : { bps, base: base!, effectiveFrom: readDay(from!) }
    if (rate === undefined && options.as !== undefined) throw new UsageError('--as goes with --commission')
    const { asker, approve } = askerOf(context, ['commission_rate'])
    const command = { code: args.code!, legal, rate, reason: optionalReason(context), ...asker }
    const asked = orRefuse(await setBilling(runtime.database, command), billingWords)
    const isDone = asked.waiting !== undefined && (await approve(asked.waiting))
    const shownNow = { code: args.code!, legal: {}, rate: undefined, reason: null, ...asker }
    const done = isDone ? orRefuse(await setBilling(runtime.database, shownNow), billingWords) : asked
    return billingShown(args.code!, done)
  },
}

function billingShown(partner: string, { legal, rates, waiting }: Extract<BillingOutcome, { kind: 'done' }>) {
  const lines = rates.map((one) => [one.effectiveFrom, `${one.bps / 100}%`, `of ${one.base}`])
  const company = Object.values(legal ?? {}).filter((value) => value !== null)
  return {
    json: {
      partner,
      legal: legal ?? null,
      rates,
      ...(waiting ? { waiting: { id: waiting.id, ...waiting.payload } } : {}),
    },
    text: [
      company.length > 0 ? company.join(', ') : 'no company details',
      lines.length > 0 ? table(['from', 'commission', ''], lines) : 'no commission',
      ...(waiting ? [waitingText('partner', waiting)] : []),
    ].join('\n'),
  }
}
