import { type AudienceDocument, registerAudienceDocument } from '#edge/http/audience-document.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import type { Server } from '#edge/http/types.ts'

const TAGS = [
  { name: 'Session', description: 'Sign in and out, prove identity again, the own account.' },
  { name: 'Staff', description: 'People of the operator and of partners, and what their roles may do.' },
  { name: 'Overview', description: 'What is going on, and what needs a person.' },
  { name: 'Search', description: 'Find anything by an id, a number or a filter.' },
  { name: 'Lists', description: 'Filtered lists, their figures and exports.' },
  { name: 'Cards', description: 'One gift card, and the acts on it.' },
  { name: 'Members', description: 'One member, and the acts on them.' },
  { name: 'Partners', description: 'One partner: terms, keys, users.' },
  { name: 'Deliveries', description: 'Messages, their failures and retries.' },
  { name: 'Orders', description: 'Trades of members.' },
  { name: 'Withdrawals', description: 'Payouts of members.' },
  { name: 'Prices', description: 'Price feed and trading terms.' },
  { name: 'Refunds', description: 'Refunds of expired cards, and the policies that decide them.' },
  { name: 'Statements', description: 'What partners are billed, month by month, and what they paid.' },
  { name: 'Books', description: 'Accounts, closed days and months, bullion.' },
  { name: 'Reports', description: 'What the regulator asks, with the queries behind each answer.' },
  { name: 'Approvals', description: 'What waits for a second person.' },
  { name: 'Audit', description: 'Who changed what, and the chain that proves it.' },
]

const DOCUMENT: AudienceDocument = {
  title: 'Ingot console API',
  description:
    'What the pages of the console ask. `x-permission` names what the role must allow, `x-tenant` whose ' +
    'staff may ask, `x-fresh-proof` whether identity must be proved again. Every call that changes something comes from our own pages. Errors are as in the partner API. It may change with any release.',
  tags: TAGS,
  cookie: {
    name: 'ingot_console',
    description: 'Under https `__Host-ingot_console`, or `__Secure-ingot_console` behind a path.',
  },
}

// Not recorded as a contract: only our own pages, of the same release, call this API (decisions/0070).
export function registerConsoleDocument(
  scope: Server,
  deps: Pick<HttpDeps, 'publicUrl' | 'version'>,
): Promise<void> {
  return registerAudienceDocument(scope, deps, DOCUMENT)
}
