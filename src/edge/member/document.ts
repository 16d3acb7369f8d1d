import { type AudienceDocument, registerAudienceDocument } from '#edge/http/audience-document.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import type { Server } from '#edge/http/types.ts'

const TAGS = [
  { name: 'Session', description: 'Log in and out, sign up, recover an account.' },
  { name: 'Identity', description: 'Verify who somebody is, by a code to their phone.' },
  {
    name: 'Onboarding',
    description: 'What a visitor brings before there is a session: a card, details, a verified identity.',
  },
  { name: 'Cards', description: 'Register gift cards.' },
  { name: 'Prices', description: 'What gold and silver cost now, and have cost.' },
  { name: 'Trading', description: 'Buy and sell gold and silver.' },
  { name: 'Assets', description: 'What a member holds, what has moved, and statements of it.' },
  { name: 'Withdrawals', description: 'Pay out deposit to a bank account, and stop a payout.' },
  { name: 'Links', description: 'Partners that have registered the member.' },
  { name: 'Account', description: 'Profile, sessions, password, passkeys, closing the account.' },
]

const DOCUMENT: AudienceDocument = {
  title: 'Ingot member API',
  description:
    'What the member pages ask. `/webview/member` has the same operations for a web view, but for those of the ' +
    'account. Every call that changes something comes from our own pages. Errors are as in the partner API.',
  tags: TAGS,
  cookie: {
    name: 'ingot_member',
    description: 'Under https `__Host-ingot_member`, or `__Secure-ingot_member` behind a path.',
  },
}

// The member's side has a document of its own: partners do not call it, and the types of the pages are generated from
// it.
export function registerMemberDocument(
  scope: Server,
  deps: Pick<HttpDeps, 'publicUrl' | 'version'>,
): Promise<void> {
  return registerAudienceDocument(scope, deps, DOCUMENT)
}
