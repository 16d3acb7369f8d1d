import { type Files, type Import, importsOf, targetOf } from './source.ts'

interface Audience {
  // Capabilities whose flows it may call, as far as nobody else does.
  readonly flows: readonly string[]
  // Modules that it may read. A module's rules and types are open to all.
  readonly reads: readonly string[]
}

// The audiences of the edge. None imports another audience's files: what two of them use is in `http`. The file
// src/edge/server.ts puts them together. An audience's flows are made in src/app/endpoints/AUDIENCE.ts, or a subject's in
// src/app/endpoints/AUDIENCE/SUBJECT.ts, under the same rules. There `shared` makes what several audiences use, and `edge` puts the endpoints together.
const AUDIENCES: Record<string, Audience> = {
  // The operator's second way in, beside the command line: it may call what that calls.
  console: {
    flows: [
      'accounts',
      'approvals',
      'audit',
      'books',
      'deliveries',
      'gift-cards',
      'guesses',
      'holdings',
      'kit',
      'lists',
      'members',
      'overview',
      'partner-users',
      'partners',
      'refunds',
      'reports',
      'requests',
      'restoration',
      'sessions',
      'settlement',
      'staff',
      'trading',
      'withdrawals',
    ],
    reads: [
      'accounts',
      'approvals',
      'audit',
      'bullion',
      'closed-days',
      'deliveries',
      'figures',
      'gift-cards',
      'guesses',
      'ledger',
      'members',
      'partners',
      'passkeys',
      'payments',
      'pricing',
      'refunds',
      'sessions',
      'settlement',
      'staff',
      'trading',
      'usage',
      'withdrawals',
    ],
  },
  edge: { flows: [], reads: [] },
  hooks: { flows: ['deliveries'], reads: [] },
  http: { flows: ['kit'], reads: [] },
  member: {
    flows: [
      'accounts',
      'gift-cards',
      'guesses',
      'holdings',
      'partner-users',
      'refunds',
      'sessions',
      'trading',
      'withdrawals',
    ],
    reads: ['accounts', 'gift-cards', 'ledger', 'passkeys', 'pricing', 'withdrawals'],
  },
  partner: {
    flows: ['gift-cards', 'holdings', 'partner-users'],
    reads: ['deliveries', 'gift-cards', 'partners', 'usage'],
  },
  shared: { flows: ['guesses', 'sessions'], reads: [] },
  site: { flows: ['deliveries', 'sessions'], reads: ['gift-cards'] },
}

// A flow is of the audience that calls it: a second caller is a decision. These have one, and this is what the first may call.
const TWO_CALLERS: Record<string, Record<string, readonly string[]>> = {
  'src/flows/gift-cards/resend-card.ts': { partner: ['createResendCard'] },
  'src/flows/holdings/look-up-assets.ts': { partner: ['createLookUpAssets'] },
  'src/flows/withdrawals/settle-withdrawal.ts': { member: ['createCancelWithdrawal'] },
  'src/flows/withdrawals/show-withdrawals.ts': { member: ['createListWithdrawals'] },
}

const OF_AUDIENCE = /^src\/(?:edge\/([\w-]+)\/|app\/endpoints\/([\w-]+)(?:\/[\w-]+)?\.ts$)/
const OPERATOR = /^src\/(?:app\/(commands)|(jobs))\//

export function refuseAudience(
  path: string,
  target: string,
  entry: Import,
  files: Files,
): string | undefined {
  const audience = audienceOf(path)
  if (audience === undefined) return undefined
  const may = AUDIENCES[audience]
  if (!may) return `${audience}: name the audience in AUDIENCES of tools/tidy/audiences.ts first`
  const { specifier } = entry
  const [, room, to = ''] = target.split('/')
  if (room === 'flows') {
    if (!may.flows.includes(to)) return `${specifier}: ${audience} may not call flows/${to} (AUDIENCES)`
    return refuseFlow(audience, target, entry, files)
  }
  if (room === 'modules' && !entry.typeOnly && !/\/(?:rules|types)\.ts$/.test(target)) {
    return may.reads.includes(to)
      ? undefined
      : `${specifier}: ${audience} may not read modules/${to} (AUDIENCES)`
  }
  if (audience === 'edge') return undefined
  const isOthers = audienceOf(target) !== 'shared' && audienceOf(target) !== audience
  if (room === 'app' && /^(?:commands|endpoints)$/.test(to) && isOthers) {
    return `${specifier}: an audience has its own endpoints`
  }
  if (room !== 'edge' || to === audience || to === 'http') return undefined
  if (audience === 'shared' && entry.typeOnly) return undefined
  return `${specifier}: an audience of the edge never imports another's; what they share is in edge/http`
}

function refuseFlow(audience: string, target: string, entry: Import, files: Files): string | undefined {
  const callers = callersIn(files).get(target) ?? new Set()
  // The command line and the console are the operator: what one may call, so may the other.
  if (audience === 'console' && callers.has('commands')) return undefined
  const others = [...callers].filter((caller) => caller !== audience)
  // Made once for all.
  if (others.length === 0 || callers.has('shared')) return undefined
  const agreed = TWO_CALLERS[target]?.[audience]
  if (agreed && (entry.typeOnly || entry.values.every((name) => agreed.includes(name)))) return undefined
  return `${entry.specifier}: a flow of ${others.join(' and ')}, which ${audience} may not share (TWO_CALLERS)`
}

function audienceOf(path: string): string | undefined {
  const [, folder, endpoints] = OF_AUDIENCE.exec(path) ?? []
  return folder ?? endpoints
}

const known = new WeakMap<Files, ReadonlyMap<string, ReadonlySet<string>>>()

// Each file of flows with who imports more than types of it: audiences, the command line and jobs.
function callersIn(files: Files): ReadonlyMap<string, ReadonlySet<string>> {
  const before = known.get(files)
  if (before) return before
  const callers = new Map<string, Set<string>>()
  for (const [path, text] of files) {
    const [, commands, jobs] = OPERATOR.exec(path) ?? []
    const caller = audienceOf(path) ?? commands ?? jobs
    if (caller === undefined || path.endsWith('.test.ts')) continue
    for (const entry of importsOf(text)) {
      const target = targetOf(path, entry.specifier ?? '')
      if (entry.typeOnly || !target?.startsWith('src/flows/')) continue
      callers.set(target, (callers.get(target) ?? new Set()).add(caller))
    }
  }
  known.set(files, callers)
  return callers
}
