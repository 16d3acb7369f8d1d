import { type Command, integer, readReason, table } from '#app/command.ts'
import { approvalCommands, askerOf, waitingText } from '#app/commands/approval.ts'
import { priceWords } from '#app/commands/price-words.ts'
import { orRefuse } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { formatWon, wonToJson } from '#base/money.ts'
import {
  changeTerms,
  type EditableTradingTerms,
  requestPrice,
  stopOrResumeTrading,
} from '#flows/trading/change-trading.ts'
import { askOf, bidOf, bpsText, gramsText, tradingState } from '#modules/pricing/rules.ts'
import {
  type LastPrice,
  listOrdersByHand,
  type Market,
  readLastPrices,
  readMarket,
} from '#modules/pricing/store.ts'
import type { Metal } from '#modules/pricing/types.ts'

// Operators type names; the ledger has the codes of ISO 4217.
const METALS: Record<string, Metal> = { gold: 'XAU', silver: 'XAG' }

function readMetal(typed: string): Metal {
  const metal = METALS[typed.toLowerCase()]
  if (!metal) throw new UsageError('METAL is gold or silver')
  return metal
}

function nameOf(metal: Metal): string {
  return metal === 'XAU' ? 'gold' : 'silver'
}

function toJson(name: string, { metals, terms }: Market, last: readonly LastPrice[]) {
  const metal = METALS[name]!
  const price = metals[metal]
  const { spreadBps, feeBps, maxAgeSeconds, stopped } = terms[metal]
  return {
    metal: name,
    // Without a price nothing is traded, as with one that is too old.
    trading: price ? tradingState(price) : stopped ? 'stopped' : 'stale',
    reference: price && wonToJson(price.reference),
    ask: price && wonToJson(askOf(price.reference, spreadBps)),
    bid: price && wonToJson(bidOf(price.reference, spreadBps)),
    ageSeconds: price && Math.round(price.ageSeconds),
    source: last.find((one) => one.metal === metal)?.source ?? null,
    spreadBps,
    feeBps,
    maxAgeSeconds,
  }
}

export const priceShow: Command = {
  usage: 'price show',
  summary: 'show the price of each metal, its age, and the terms of trading',
  positionals: [],
  options: {},
  async run({ runtime }) {
    const market = await readMarket(runtime.database)
    const last = await readLastPrices(runtime.database)
    const shown = Object.keys(METALS).map((name) => toJson(name, market, last))
    const rows = shown.map((one) => [
      one.metal,
      one.trading,
      one.reference === null ? '–' : formatWon(BigInt(one.reference)),
      one.ageSeconds === null ? '–' : `${one.ageSeconds} s`,
      one.source === 'operator' ? 'by hand' : (one.source ?? '–'),
      `${bpsText(one.spreadBps)}%`,
      `${bpsText(one.feeBps)}%`,
      `${one.maxAgeSeconds} s`,
    ])
    return {
      json: shown,
      text: table(['metal', 'trading', 'reference', 'age', 'source', 'spread', 'fee', 'at most'], rows),
    }
  },
}

export const priceTerms: Command = {
  usage:
    'price terms METAL [--spread-bps N] [--fee-bps N] [--max-age SECONDS] --reason TEXT [--as NAME]\n' +
    'A smaller spread or fee, or a longer age, waits for a second person.',
  summary: 'change the spread, the fee, or the age at which a price stops trading',
  positionals: ['metal'],
  options: {
    'spread-bps': { type: 'string' },
    'fee-bps': { type: 'string' },
    'max-age': { type: 'string' },
    reason: { type: 'string' },
    as: { type: 'string' },
  },
  async run(context) {
    const { runtime, args, options } = context
    const given = {
      spreadBps: integer(options, 'spread-bps'),
      feeBps: integer(options, 'fee-bps'),
      maxAgeSeconds: integer(options, 'max-age'),
    }
    const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    if (Object.keys(changes).length === 0) throw new UsageError('say what to change')
    const { asker, approve } = askerOf(context, ['terms'])
    const command = { metal: readMetal(args.metal!), changes, reason: readReason({ options }), ...asker }
    const outcome = orRefuse(await changeTerms(runtime.database, command), priceWords)
    // Terms that cost buyers more hold at once. Better ones wait, unless `--as` approves them in a sandbox.
    if (outcome.kind === 'waiting' && !(await approve(outcome.request))) {
      const { id, payload } = outcome.request
      return {
        json: { id, status: 'waiting', metal: args.metal!, ...payload },
        text: waitingText('price', outcome.request),
      }
    }
    const terms =
      outcome.kind === 'waiting'
        ? (outcome.request.payload as unknown as EditableTradingTerms)
        : outcome.terms
    const { spreadBps, feeBps, maxAgeSeconds } = terms
    return {
      json: { metal: args.metal!, spreadBps, feeBps, maxAgeSeconds },
      text: `${args.metal}: spread ${bpsText(spreadBps)}%, fee ${bpsText(feeBps)}%, a price counts for ${maxAgeSeconds} s`,
    }
  },
}

function stopOrResume(stopped: boolean, verb: string, summary: string): Command {
  return {
    usage: `price ${verb} --reason TEXT`,
    summary,
    positionals: [],
    options: { reason: { type: 'string' } },
    async run({ runtime, options, actor }) {
      await stopOrResumeTrading(runtime.database, { stopped, reason: readReason({ options }), actor })
      return { json: { stopped }, text: stopped ? 'trading is stopped' : 'trading goes on' }
    },
  }
}

// One person stops trading, without waiting for a second: a wrong price gives metal away by the minute.
export const priceStop = stopOrResume(true, 'stop', 'stop all trading; quotes under way end at once')
export const priceResume = stopOrResume(false, 'resume', 'let trading go on')

export const priceSet: Command = {
  usage:
    'price set METAL WON --reason TEXT [--force] [--as NAME]\n' +
    'The next readings of the feed are compared with it. More than 15% away needs --force; more than 50% is refused.',
  summary: 'ask for a price per gram by hand, which a second person approves',
  positionals: ['metal', 'won'],
  options: { reason: { type: 'string' }, force: { type: 'boolean' }, as: { type: 'string' } },
  async run(context) {
    const { runtime, args, options } = context
    if (!/^\d{1,12}$/.test(args.won!)) throw new UsageError('WON is a whole number')
    const wonPerGram = BigInt(args.won!)
    const { asker, approve } = askerOf(context, ['price'])
    const outcome = await requestPrice(runtime.database, {
      metal: readMetal(args.metal!),
      wonPerGram,
      force: options.force === true,
      reason: readReason({ options }),
      ...asker,
    })
    const { request } = orRefuse(outcome, priceWords)
    const done = await approve(request)
    const status = done ? 'executed' : 'waiting'
    return {
      json: { id: request.id, status, metal: args.metal!, wonPerGram: wonToJson(wonPerGram) },
      text: done ? `${args.metal}: ${formatWon(wonPerGram)} holds now` : waitingText('price', request),
    }
  },
}

export const priceApprovals = approvalCommands('price', ['price', 'terms'])

// More would not be read in a terminal.
const LISTED = 500

export const priceOrders: Command = {
  usage: 'price orders',
  summary: 'list the orders at prices set by hand, newest first, with both people',
  positionals: [],
  options: {},
  async run({ runtime }) {
    const orders = (await listOrdersByHand(runtime.database.db, LISTED)).map((order) => ({
      ...order,
      at: order.at.toString(),
      metal: nameOf(order.metal),
      grams: gramsText(order.units),
      units: undefined,
      reference: wonToJson(order.reference),
      total: wonToJson(order.total),
    }))
    const rows = orders.map((o) => [
      o.id,
      o.at,
      o.side,
      o.metal,
      o.grams,
      formatWon(BigInt(o.reference)),
      formatWon(BigInt(o.total)),
      o.askedBy ?? '–',
      o.approvedBy ?? '–',
    ])
    const header = ['id', 'at', 'side', 'metal', 'grams', 'reference', 'total', 'asked by', 'approved by']
    return { json: orders, text: rows.length > 0 ? table(header, rows) : 'there are none' }
  },
}
