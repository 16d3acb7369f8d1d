import { type Command, integer, readReason, table, UsageError } from '#app/command.ts'
import { formatWon, wonToJson } from '#base/money.ts'
import { changeTerms, setPrice, stopOrResumeTrading } from '#flows/change-trading.ts'
import { askOf, bidOf, bpsText, tradingState } from '#modules/pricing/rules.ts'
import { type Market, readMarket } from '#modules/pricing/store.ts'
import type { Metal } from '#modules/pricing/types.ts'

const METALS: Record<string, Metal> = { gold: 'XAU', silver: 'XAG' }

function readMetal(typed: string): Metal {
  const metal = METALS[typed.toLowerCase()]
  if (!metal) throw new UsageError('METAL is gold or silver')
  return metal
}

function toJson(name: string, { metals, terms }: Market) {
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
    spreadBps,
    feeBps,
    maxAgeSeconds,
  }
}

export const priceShow: Command = {
  usage: 'price show',
  summary: 'show what metal costs, how old that is, and the terms of trading',
  positionals: [],
  options: {},
  async run({ runtime }) {
    const market = await readMarket(runtime.database)
    const shown = Object.keys(METALS).map((name) => toJson(name, market))
    const rows = shown.map((one) => [
      one.metal,
      one.trading,
      one.reference === null ? '–' : formatWon(BigInt(one.reference)),
      one.ageSeconds === null ? '–' : `${one.ageSeconds} s`,
      `${bpsText(one.spreadBps)}%`,
      `${bpsText(one.feeBps)}%`,
      `${one.maxAgeSeconds} s`,
    ])
    return {
      json: shown,
      text: table(['metal', 'trading', 'reference', 'age', 'spread', 'fee', 'at most'], rows),
    }
  },
}

export const priceTerms: Command = {
  usage: 'price terms METAL [--spread-bps N] [--fee-bps N] [--max-age SECONDS] --reason TEXT',
  summary: 'change the spread, the fee, or the age at which a price stops trading',
  positionals: ['metal'],
  options: {
    'spread-bps': { type: 'string' },
    'fee-bps': { type: 'string' },
    'max-age': { type: 'string' },
    reason: { type: 'string' },
  },
  async run({ runtime, args, options, actor }) {
    const given = {
      spreadBps: integer(options, 'spread-bps'),
      feeBps: integer(options, 'fee-bps'),
      maxAgeSeconds: integer(options, 'max-age'),
    }
    const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    if (Object.keys(changes).length === 0) throw new UsageError('say what to change')
    const command = { metal: readMetal(args.metal!), changes, reason: readReason({ options }), actor }
    const { spreadBps, feeBps, maxAgeSeconds } = await changeTerms(runtime.database, command)
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

export const priceStop = stopOrResume(true, 'stop', 'stop all trading; quotes under way end at once')
export const priceResume = stopOrResume(false, 'resume', 'let trading go on')

export const priceSet: Command = {
  usage: 'price set METAL WON --reason TEXT [--force]',
  summary:
    'give a price per gram by hand; the next readings are measured against it. A far one only with --force',
  positionals: ['metal', 'won'],
  options: { reason: { type: 'string' }, force: { type: 'boolean' } },
  async run({ runtime, args, options, actor }) {
    if (!/^\d{1,12}$/.test(args.won!)) throw new UsageError('WON is a whole number')
    const wonPerGram = BigInt(args.won!)
    const command = {
      metal: readMetal(args.metal!),
      wonPerGram,
      force: options.force === true,
      reason: readReason({ options }),
      actor,
    }
    await setPrice(runtime.database, command)
    return {
      json: { metal: args.metal!, wonPerGram: wonToJson(wonPerGram) },
      text: `a gram of ${args.metal} costs ${formatWon(wonPerGram)}`,
    }
  },
}
