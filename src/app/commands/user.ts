import { type Command, type CommandContext, integer, readReason, table, text } from '#app/command.ts'
import { changeLines, changesJson } from '#app/commands/changes.ts'
import { noPartner } from '#app/commands/partner-words.ts'
import { grantWords, noUser, redeemWords, userStatusWords } from '#app/commands/user-words.ts'
import { imprintOf } from '#app/ports/messaging.ts'
import { orRefuse } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { Unavailable } from '#base/db/errors.ts'
import { formatWon, wonToJson } from '#base/money.ts'
import { redeemForUser } from '#flows/gift-cards/redeem-for-user.ts'
import { grantAssets } from '#flows/holdings/grant-assets.ts'
import { createLookUpAssets } from '#flows/holdings/look-up-assets.ts'
import { findByTrace, showUser } from '#flows/partner-users/show-user.ts'
import { setUserStatusOf } from '#flows/partner-users/suspend-user.ts'
import { gramsText, parseGrams } from '#modules/pricing/rules.ts'

const NAMED = ['partner', 'key'] as const

function named({ args, actor }: CommandContext) {
  return { partner: args.partner!, partnerKey: args.key!, actor }
}

export const userShow: Command = {
  usage: 'user show PARTNER KEY [--reveal --reason TEXT]',
  summary: "show a partner's user, masked; --reveal goes into the audit log",
  positionals: NAMED,
  options: { reveal: { type: 'boolean' }, reason: { type: 'string' } },
  async run(context) {
    const { runtime, options } = context
    // Read before anything is opened: a reveal without a reason never happens, not even in memory.
    const revealReason = options.reveal ? readReason(context) : undefined
    const command = { ...named(context), revealReason }
    const shown = orRefuse(await showUser(runtime.database, runtime.keys.vault(), command), noUser)
    const { user, details, links } = shown
    const json = {
      partner: context.args.partner!,
      partnerKey: user.partnerKey,
      id: user.id,
      memberId: user.memberId,
      status: user.status,
      confirmed: user.confirmed,
      registeredAt: user.registeredAt.toString(),
      registeredBy: user.registeredBy,
      ...details,
      detailsAt: user.detailsAt.toString(),
      partners: links,
      assets: await assetsOf(context, user.partnerId, user.partnerKey),
      consents: shown.consents.map(({ terms_id, agreed, at }) => ({
        termsId: terms_id,
        agreeYn: agreed ? 'Y' : 'N',
        at: at.toString(),
      })),
      changes: changesJson(shown.changes),
      traces: shown.traces.map((trace) => ({ ...trace, at: trace.at.toString() })),
      formerDetails: shown.former.map(({ toldAt, replacedAt, ...former }) => ({
        ...former,
        toldAt: toldAt.toString(),
        replacedAt: replacedAt.toString(),
      })),
    }
    return { json, text: toText(json) }
  },
}

export const userFind: Command = {
  usage: 'user find PARTNER TRACENO',
  summary: "find a partner's users by the trace number of a signup (traceId in the log)",
  positionals: ['partner', 'traceNo'],
  options: {},
  async run({ runtime, args }) {
    const outcome = await findByTrace(runtime, { partner: args.partner!, traceNo: args.traceNo! })
    const { users } = orRefuse(outcome, noPartner)
    const json = users.map((user) => ({ ...user, at: user.at.toString() }))
    const rows = json.map(({ at, partnerKey, traceId }) => [at, partnerKey, traceId])
    return { json, text: table(['at', 'partner key', 'trace id'], rows) }
  },
}

async function assetsOf({ runtime }: CommandContext, partnerId: number, partnerKey: string) {
  // The same flow as the partner calls, so support sees what the partner sees.
  const lookUpAssets = createLookUpAssets(runtime.database, () => {})
  // Without a price nothing can be valued; the rest is shown all the same.
  const outcome = await lookUpAssets(partnerId, partnerKey).catch((error) => {
    if (error instanceof Unavailable) return undefined
    throw error
  })
  if (outcome?.kind !== 'found') return null
  const { points, deposit, gold, silver, totalValue } = outcome.assets
  return {
    points: wonToJson(points),
    deposit: wonToJson(deposit),
    goldGrams: gramsText(gold.units),
    silverGrams: gramsText(silver.units),
    totalValue: wonToJson(totalValue),
  }
}

function toText(shown: Record<string, unknown> & ShownLists): string {
  const { assets, consents, changes, traces, formerDetails, ...fields } = shown
  const lines = Object.entries(fields).map(([name, value]) => `${name.padEnd(13)} ${value}`)
  const held = assets
    ? [
        `assets        ${formatWon(BigInt(assets.totalValue))}: points ${formatWon(BigInt(assets.points))}, ` +
          `deposit ${formatWon(BigInt(assets.deposit))}, gold ${assets.goldGrams} g, silver ${assets.silverGrams} g`,
      ]
    : []
  const agreed = consents.map(({ at, termsId, agreeYn }) => `  ${at}  ${agreeYn}  ${termsId}`)
  const acts = changeLines(changes)
  const told = traces.map(({ at, id, traceNo }) => `  ${at}  ${id}  ${JSON.stringify(traceNo)}`)
  const former = formerDetails.map(({ replacedAt, replacedBy, ...details }) => {
    return `  ${replacedAt}  ${replacedBy}  ${JSON.stringify(details)}`
  })
  return [
    ...[...lines, ...held, 'consents', ...agreed, 'changes', ...acts],
    ...['trace numbers', ...told],
    ...(former.length > 0 ? ['former details', ...former] : []),
  ].join('\n')
}

interface ShownLists {
  assets: Awaited<ReturnType<typeof assetsOf>>
  consents: { at: string; termsId: string; agreeYn: string }[]
  changes: ReturnType<typeof changesJson>
  traces: { id: string; at: string; traceNo: string }[]
  formerDetails: { replacedAt: string; replacedBy: string }[]
}

function openOrClose(status: 'active' | 'suspended', verb: string, summary: string): Command {
  return {
    usage: `user ${verb} PARTNER KEY --reason TEXT`,
    summary,
    positionals: NAMED,
    options: { reason: { type: 'string' } },
    async run(context) {
      const command = { ...named(context), reason: readReason(context), status }
      const outcome = await setUserStatusOf(context.runtime.database, command)
      const { user } = orRefuse(outcome, userStatusWords)
      return {
        json: { partner: context.args.partner!, partnerKey: user.partnerKey, status: user.status },
        text: `${user.partnerKey} of ${context.args.partner} is ${user.status}`,
      }
    },
  }
}

export const userSuspend = openOrClose(
  'suspended',
  'suspend',
  "close a user's link: its hash keys and sessions end at once",
)
export const userResume = openOrClose('active', 'resume', "open a suspended user's link again")

export const userGrant: Command = {
  usage: 'user grant PARTNER KEY [--points WON] [--deposit WON] [--gold GRAMS] [--silver GRAMS]',
  summary: 'give a user something to hold (sandbox)',
  positionals: NAMED,
  options: {
    points: { type: 'string' },
    deposit: { type: 'string' },
    gold: { type: 'string' },
    silver: { type: 'string' },
  },
  async run(context) {
    const { runtime, options, args } = context
    const amounts = {
      KRW_POINT: BigInt(integer(options, 'points') ?? 0),
      KRW: BigInt(integer(options, 'deposit') ?? 0),
      XAU: grams(context, 'gold'),
      XAG: grams(context, 'silver'),
    }
    const command = { ...named(context), amounts }
    orRefuse(await grantAssets(runtime.database, command), grantWords)
    return {
      json: { partner: args.partner!, partnerKey: args.key! },
      text: `granted to ${args.key} of ${args.partner}`,
    }
  },
}

function grams({ options }: CommandContext, name: string): bigint {
  const units = parseGrams(text(options, name) ?? '0')
  if (units === undefined) throw new UsageError(`--${name} takes grams with up to four places`)
  return units
}

export const userRedeem: Command = {
  usage: 'user redeem PARTNER KEY PIN',
  summary: 'register a card for a user, as its recipient would (sandbox)',
  positionals: [...NAMED, 'pin'],
  options: {},
  async run(context) {
    const { runtime, args } = context
    // For a person under 14 the refusal names whom to ask, as the pages do.
    const { contact } = imprintOf(runtime.config)
    const outcome = await redeemForUser(runtime, { ...named(context), pin: args.pin!, actor: context.actor })
    const { card } = orRefuse(outcome, (refusal) => redeemWords(refusal, contact))
    return {
      json: { giftId: card.id, amount: wonToJson(card.amount) },
      text: `${card.id} is used: ${formatWon(card.amount)} became points`,
    }
  },
}
