import { type Command, table, text } from '#app/command.ts'
import { readDay } from '#app/commands/books.ts'
import { amountText, statementWords, trialWords } from '#app/commands/books-words.ts'
import { orRefuse } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { wonToJson } from '#base/money.ts'
import { readAccountStatement } from '#flows/books/read-statement.ts'
import { readTrialBalance, type TrialAccount } from '#flows/books/read-trial-balance.ts'

function readMoment(value: string | undefined): Temporal.Instant | undefined {
  if (value === undefined) return undefined
  try {
    return Temporal.Instant.from(value)
  } catch {
    throw new UsageError('--at takes a moment with its offset: 2026-11-16T14:30:00+09:00')
  }
}

const sum = (accounts: readonly TrialAccount[], side: 'debit' | 'credit') =>
  accounts.reduce((total, one) => total + one[side], 0n)

export const booksTrialBalance: Command = {
  usage: 'books trial-balance [--at MOMENT]',
  summary: 'list every account with its balance, now or at a moment; debits equal credits in each asset',
  positionals: [],
  options: { at: { type: 'string' } },
  async run({ runtime, options }) {
    const found = await readTrialBalance(runtime.database, readMoment(text(options, 'at')))
    const { at, position, from, accounts } = orRefuse(found, trialWords)
    const assets = [...Map.groupBy(accounts, ({ asset }) => asset)].map(([asset, of]) => ({
      asset,
      debit: sum(of, 'debit'),
      credit: sum(of, 'credit'),
      accounts: of,
    }))
    const json = {
      at: at.toString(),
      position: wonToJson(position),
      from,
      assets: assets.map((one) => ({
        asset: one.asset,
        debit: wonToJson(one.debit),
        credit: wonToJson(one.credit),
        accounts: one.accounts.map(({ account, partner, debit, credit }) => ({
          account,
          partner,
          debit: wonToJson(debit),
          credit: wonToJson(credit),
        })),
      })),
    }
    const rows = assets.flatMap(({ asset, debit, credit, accounts: of }) => [
      ...of.map((one) => [
        asset,
        one.account,
        one.partner ?? '',
        one.debit === 0n ? '' : amountText(asset, one.debit),
        one.credit === 0n ? '' : amountText(asset, one.credit),
      ]),
      [asset, 'all', '', amountText(asset, debit), amountText(asset, credit)],
    ])
    const isEven = assets.every(({ debit, credit }) => debit === credit)
    const head = `at ${at}, up to transfer ${position}${from === null ? '' : `, from the close of ${from}`}`
    const shown = table(['asset', 'account', 'partner', 'debit', 'credit'], rows)
    return { json, text: `${head}\n${shown}`, failed: !isEven }
  },
}

export const booksStatement: Command = {
  usage:
    'books statement ACCOUNT --from DAY --to DAY [--asset ASSET] [--partner CODE]\n' +
    'From the first day to the day before --to, both closed. ACCOUNT as in `books show`.',
  summary: 'opening balance, movements by day and kind, and closing balance of an account',
  positionals: ['account'],
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    asset: { type: 'string' },
    partner: { type: 'string' },
  },
  async run({ runtime, args, options }) {
    const [from, to] = [text(options, 'from'), text(options, 'to')]
    if (from === undefined || to === undefined) throw new UsageError('--from and --to take days: 2026-11-16')
    const period = { from: readDay(from), to: readDay(to) }
    const filter = {
      account: args.account!,
      asset: text(options, 'asset'),
      partner: text(options, 'partner'),
    }
    const found = await readAccountStatement(runtime.database, { ...filter, ...period })
    const { lastDay, accounts } = orRefuse(found, statementWords)
    const json = {
      ...period,
      throughId: wonToJson(lastDay.throughId),
      hash: lastDay.hash.toString('hex'),
      accounts: accounts.map(({ opening, closing, lines, ...group }) => ({
        ...group,
        opening: wonToJson(opening),
        movements: lines.map((line) => ({
          day: line.day,
          belongsTo: line.belongsTo,
          kind: line.kind,
          debit: wonToJson(line.debit),
          credit: wonToJson(line.credit),
        })),
        closing: wonToJson(closing),
      })),
    }
    const blocks = accounts.map(({ account, asset, partner, opening, closing, lines }) => {
      const rows = lines.map((line) => [
        line.day,
        line.belongsTo < line.day ? `${line.kind} of ${line.belongsTo}` : line.kind,
        amountText(asset, line.debit),
        amountText(asset, line.credit),
      ])
      const ends = (what: string, amount: bigint) => [what, '', '', '', amountText(asset, amount)]
      const all = [ends('opening', opening), ...rows, ends('closing', closing)]
      const name = [account, asset, partner].filter((part) => part !== null).join(' ')
      return `${name}\n${table(['day', 'movement', 'debit', 'credit', 'balance'], all)}`
    })
    const head = `${period.from} to before ${period.to}, up to transfer ${lastDay.throughId}`
    return { json, text: [head, ...blocks].join('\n\n') }
  },
}
