import {
  type Command,
  type CommandContext,
  integer,
  optionalReason,
  personOf,
  table,
  text,
  texts,
  won,
} from '#app/command.ts'
import { approvalCommands, waitingText } from '#app/commands/approval.ts'
import { partnerWords } from '#app/commands/partner-words.ts'
import { orRefuse } from '#app/refused.ts'
import { UsageError } from '#app/usage-error.ts'
import { formatWon, wonToJson } from '#base/money.ts'
import { changePartner } from '#flows/partners/change-partner.ts'
import { registerPartner } from '#flows/partners/register-partner.ts'
import type { ChangeRequest } from '#modules/approvals/types.ts'
import { newTerms } from '#modules/partners/rules.ts'
import { listPartners } from '#modules/partners/store.ts'
import type { Partner, PartnerTerms } from '#modules/partners/types.ts'

const TERM_OPTIONS = {
  name: { type: 'string' },
  status: { type: 'string' },
  'key-format': { type: 'string' },
  'key-pattern': { type: 'string' },
  'amount-min': { type: 'string' },
  'amount-max': { type: 'string' },
  'validity-months': { type: 'string' },
  'credit-limit': { type: 'string' },
  'rate-limit': { type: 'string' },
  keyless: { type: 'boolean' },
  network: { type: 'string', multiple: true },
  'single-use-hash-keys': { type: 'boolean' },
  'frame-ancestor': { type: 'string', multiple: true },
  'sender-name': { type: 'string' },
  'message-language': { type: 'string' },
} as const

const TERM_USAGE =
  '[--key-format uuid|custom --key-pattern P] [--amount-min WON] [--amount-max WON] [--validity-months N] ' +
  '[--credit-limit WON] [--rate-limit N, 0 for none] [--network CIDR …] [--keyless|--no-keyless] ' +
  '[--single-use-hash-keys|--no-single-use-hash-keys] [--frame-ancestor ORIGIN …] [--sender-name NAME] [--message-language ko|en] ' +
  '[--status active|suspended]\n' +
  "--network and --frame-ancestor replace the whole list; '' empties it. --sender-name '' goes back to the name"

// Only what was given: absent options leave the terms as they are.
function readTerms({ options }: CommandContext): Partial<PartnerTerms> {
  const given = {
    name: text(options, 'name'),
    status: text(options, 'status') as PartnerTerms['status'] | undefined,
    keyFormat: text(options, 'key-format') as PartnerTerms['keyFormat'] | undefined,
    keyPattern: text(options, 'key-pattern'),
    amountMin: won(options, 'amount-min'),
    amountMax: won(options, 'amount-max'),
    validityMonths: integer(options, 'validity-months'),
    creditLimit: won(options, 'credit-limit'),
    rateLimit: integer(options, 'rate-limit'),
    keyless: options.keyless as boolean | undefined,
    // An empty text clears the list: --network ''
    networks: texts(options, 'network')?.filter((network) => network !== ''),
    singleUseHashKeys: options['single-use-hash-keys'] as boolean | undefined,
    frameAncestors: texts(options, 'frame-ancestor')?.filter((origin) => origin !== ''),
    senderName: text(options, 'sender-name'),
    messageLanguage: text(options, 'message-language') as PartnerTerms['messageLanguage'] | undefined,
  }
  // An empty name goes back to the partner's own.
  if (text(options, 'sender-name') === '') Object.assign(given, { senderName: null })
  // The service issues these keys, so a pattern of the partner means nothing.
  if (given.keyFormat === 'uuid') Object.assign(given, { keyPattern: null })
  const entries = Object.entries(given).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Partial<PartnerTerms>
}

export function partnerToJson(partner: Partner) {
  const { code, name, keyFormat, status, id: _, ...terms } = partner
  return {
    code,
    name,
    keyFormat,
    status,
    ...terms,
    amountMin: wonToJson(terms.amountMin),
    amountMax: wonToJson(terms.amountMax),
    creditLimit: wonToJson(terms.creditLimit),
    // Scripts read two amounts that are never negative.
    owed: wonToJson(terms.owed > 0n ? terms.owed : 0n),
    prepaid: wonToJson(terms.owed < 0n ? -terms.owed : 0n),
  }
}

function toText(partners: readonly Partner[]): string {
  return table(
    ['code', 'status', 'key format', 'amounts', 'owes', 'credit limit', 'valid', 'rate', 'name'],
    partners.map((partner) => [
      partner.code,
      partner.status,
      partner.keyPattern === null ? 'uuid' : `custom ${partner.keyPattern}`,
      `${formatWon(partner.amountMin)}–${formatWon(partner.amountMax)}`,
      partner.owed < 0n ? `prepaid ${formatWon(-partner.owed)}` : formatWon(partner.owed),
      formatWon(partner.creditLimit),
      `${partner.validityMonths} months`,
      partner.rateLimit === 0 ? 'none' : `${partner.rateLimit}/s`,
      partner.name,
    ]),
  )
}

// One partner, with what the table has no room for.
export function partnerText(partner: Partner): string {
  const { networks, keyless, singleUseHashKeys, frameAncestors, senderName, messageLanguage } = partner
  return [
    toText([partner]),
    `networks for calls without a key: ${networks.join(', ') || 'none'}${keyless ? ' (allowed in live)' : ''}`,
    `hash keys: ${singleUseHashKeys ? 'single use' : 'for an hour, as often as wanted'}`,
    `frames of the web view: ${frameAncestors.join(', ') || 'none'}`,
    `messages: from ${senderName ?? 'the partner’s name'}, in ${messageLanguage}`,
  ].join('\n')
}

export const partnerAdd: Command = {
  usage: `partner add CODE --name NAME ${TERM_USAGE}`,
  summary: 'register a partner; in live, more credit than the default waits for a second person',
  positionals: ['code'],
  options: TERM_OPTIONS,
  async run(context) {
    const { runtime, args } = context
    const { name, ...terms } = readTerms(context)
    if (name === undefined) throw new UsageError('--name is required')
    const outcome = await registerPartner(runtime.database, {
      code: args.code!,
      terms: { name, ...newTerms(runtime.config.mode), ...terms },
      creditOfOne: newTerms('live').creditLimit,
      ...personOf(context),
    })
    return shown(orRefuse(outcome, partnerWords))
  },
}

function shown({ partner, waiting }: { partner: Partner; waiting: ChangeRequest | undefined }) {
  return {
    json: {
      ...partnerToJson(partner),
      ...(waiting ? { waiting: { id: waiting.id, ...waiting.payload } } : {}),
    },
    text: [partnerText(partner), ...(waiting ? [waitingText('partner', waiting)] : [])].join('\n'),
  }
}

export const partnerSet: Command = {
  usage: `partner set CODE [--name NAME] [--reason TEXT] ${TERM_USAGE}`,
  summary: "change a partner's terms; in live, more credit waits for a second person",
  positionals: ['code'],
  options: { ...TERM_OPTIONS, reason: { type: 'string' } },
  async run(context) {
    const { runtime, args } = context
    const changes = readTerms(context)
    if (Object.keys(changes).length === 0) throw new UsageError('nothing to change')
    // More credit in live becomes a request, and the rest of the change holds at once. The flow decides
    // which is which.
    const command = { code: args.code!, changes, ...personOf(context), reason: optionalReason(context) }
    const outcome = await changePartner(runtime.database, command)
    return shown(orRefuse(outcome, partnerWords))
  },
}

export const partnerList: Command = {
  usage: 'partner list',
  summary: 'list the partners',
  positionals: [],
  options: {},
  async run({ runtime }) {
    const partners = await listPartners(runtime.database.db)
    return { json: partners.map(partnerToJson), text: toText(partners) }
  },
}

export const partnerApprovals = approvalCommands('partner', [
  'credit_limit',
  'commission_rate',
  'payment',
  'payment_reversal',
])
