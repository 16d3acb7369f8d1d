import { type Command, optionalReason, table, text, won } from '#app/command.ts'
import { askerOf, waitingText } from '#app/commands/approval.ts'
import { amountText } from '#app/commands/books-words.ts'
import { bullionWords } from '#app/commands/bullion-words.ts'
import { orRefuse } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { formatWon, wonToJson } from '#base/money.ts'
import { readHedge, requestBullion } from '#flows/books/trade-bullion.ts'
import { listBullionTrades } from '#modules/bullion/store.ts'
import { BULLION_SIDES, type BullionMetal, type BullionTrade } from '#modules/bullion/types.ts'
import { gramsText, parseGrams } from '#modules/pricing/rules.ts'

// More would not be read in a terminal.
const LISTED = 500
const METALS: Record<string, BullionMetal> = { gold: 'XAU', silver: 'XAG' }
const nameOf = (metal: BullionMetal) => Object.keys(METALS).find((name) => METALS[name] === metal)!

function toJson({ id, side, metal, units, won, reference, at }: BullionTrade) {
  return {
    id,
    side,
    metal: nameOf(metal),
    grams: gramsText(units),
    won: wonToJson(won),
    reference,
    at: at.toString(),
  }
}

export const booksBullion: Command = {
  usage:
    'books bullion buy|sell --metal gold|silver --grams G --won WON --reference TEXT [--reason TEXT] [--as NAME]\n' +
    'A second person approves it; in a sandbox --as NAME does so in the same call. A reference is booked once.',
  summary: 'ask to record bullion that the house bought or sold, which a second person approves',
  positionals: ['side'],
  options: {
    metal: { type: 'string' },
    grams: { type: 'string' },
    won: { type: 'string' },
    reference: { type: 'string' },
    reason: { type: 'string' },
    as: { type: 'string' },
  },
  async run(context) {
    const { runtime, args, options } = context
    const side = BULLION_SIDES.find((one) => one === args.side)
    if (!side) throw new UsageError('bullion is bought or sold: books bullion buy, books bullion sell')
    const metal = METALS[text(options, 'metal') ?? '']
    if (!metal) throw new UsageError('--metal is gold or silver')
    const units = parseGrams(text(options, 'grams') ?? '')
    if (units === undefined) throw new UsageError('--grams takes grams with up to four places: 1000.5')
    const price = won(options, 'won')
    if (price === undefined) throw new UsageError('--won says what was paid or received, without VAT')
    const reference = text(options, 'reference') ?? ''
    const { asker, approve } = askerOf(context, ['bullion'])
    const command = { side, metal, units, won: price, reference, reason: optionalReason(context), ...asker }
    const ask = async () => orRefuse(await requestBullion(runtime.database, command), bullionWords)
    const asked = await ask()
    if (asked.kind === 'booked')
      return {
        json: { ...toJson(asked.trade), status: 'booked' },
        text: `${asked.trade.reference} was booked at ${asked.trade.at}: nothing was done`,
      }
    const isDone = await approve(asked.request)
    const status = isDone ? 'booked' : 'waiting'
    return {
      json: {
        id: asked.request.id,
        status,
        side,
        metal: nameOf(metal),
        grams: gramsText(units),
        won: wonToJson(price),
      },
      text: isDone ? `${reference} is booked` : waitingText('approvals', asked.request),
    }
  },
}

export const booksInventory: Command = {
  usage: 'books inventory',
  summary: 'list the bullion that the house bought and sold, newest first',
  positionals: [],
  options: {},
  async run({ runtime }) {
    const trades = (await listBullionTrades(runtime.database.db, LISTED)).map(toJson)
    const rows = trades.map((one) => [
      one.at,
      one.side,
      one.metal,
      `${one.grams} g`,
      formatWon(BigInt(one.won)),
      one.reference,
    ])
    const header = ['at', 'side', 'metal', 'amount', 'won', 'reference']
    return { json: trades, text: rows.length > 0 ? table(header, rows) : 'there is none' }
  },
}

const signedGrams = (units: bigint) => amountText('XAU', units).replace(' g', '')

export const booksHedge: Command = {
  usage: 'books hedge',
  summary: 'show the metal held for members against the metal that the house holds',
  positionals: [],
  options: {},
  async run({ runtime }) {
    const hedges = (await readHedge(runtime.database)).map(
      ({ metal, members, house, gap, wonPerGram, gapWon }) => ({
        metal: nameOf(metal),
        membersGrams: gramsText(members),
        houseGrams: gramsText(house),
        // Positive: the house holds too little.
        gapGrams: signedGrams(gap),
        wonPerGram: wonPerGram === null ? null : wonToJson(wonPerGram),
        gapWon: gapWon === null ? null : wonToJson(gapWon),
      }),
    )
    const rows = hedges.map((one) => [
      one.metal,
      one.membersGrams,
      one.houseGrams,
      one.gapGrams,
      one.gapWon === null ? 'no price' : formatWon(BigInt(one.gapWon)),
    ])
    return { json: hedges, text: table(['metal', 'members (g)', 'house (g)', 'gap (g)', 'gap (won)'], rows) }
  },
}
