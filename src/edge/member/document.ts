import swagger from '@fastify/swagger'
import type { HttpDeps } from '#edge/http/deps.ts'
import { LICENSE, withComponents } from '#edge/http/openapi-document.ts'
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

declare module 'fastify' {
  interface FastifyInstance {
    memberDocument(): object
  }
}

// The member's side has a document of its own: partners do not call it, and the types of the pages are generated from
// it.
export async function registerMemberDocument(
  scope: Server,
  deps: Pick<HttpDeps, 'publicUrl' | 'version'>,
): Promise<void> {
  await scope.register(swagger, {
    decorator: 'memberDocument',
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Ingot member API',
        version: deps.version,
        license: LICENSE,
        description:
          'What the member pages ask. `/webview/member` has the same operations for a web view, but for those of the ' +
          'account. Every call that changes something comes from our own pages. Errors are as in the partner API.',
      },
      servers: [{ url: deps.publicUrl }],
      tags: TAGS,
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'ingot_member',
            description: 'Under https `__Host-ingot_member`, or `__Secure-ingot_member` behind a path.',
          },
        },
      },
      security: [{ session: [] }],
    },
  })
  // Made at the first request, when every route is registered, and kept: it does not change while the process runs.
  let document: object | undefined
  scope.get('/openapi.json', { schema: { hide: true } }, async () => {
    document ??= withComponents(scope.memberDocument())
    return document
  })
}
