import { refusals } from '#edge/http/error-answers.ts'
import { ApiError } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { uuid } from '#edge/http/uuid.ts'
import type { ManageAccount } from '#flows/accounts/manage-account.ts'
import type { DecideLink } from '#flows/partner-users/decide-link.ts'
import type { MemberLink } from '#modules/members/types.ts'
import type { MemberAccess, Visitor } from './access.ts'
import { SIGNED_IN, TRUSTED } from './refusal-lists.ts'
import { moment } from './schema-parts.ts'

const LinksAnswer = object(
  'Links',
  {
    links: Type.Array(
      object('Link', {
        id: uuid(),
        partner: Type.String(),
        registeredAt: moment,
        state: choice('LinkState', ['undecided', 'confirmed', 'refused']),
        seesAll: Type.Boolean({
          description:
            'Whether the partner may look up everything the member holds, or only what came through it.',
        }),
      }),
    ),
  },
  { description: 'The partners that know this person.' },
)

const LinkParams = Type.Object({ linkId: uuid() })

const LinkBody = object('LinkDecision', {
  decision: Type.Enum(['confirm', 'refuse'], { type: 'string' }),
})

const ROUTES = {
  listLinks: {
    url: '/links',
    schema: {
      operationId: 'listLinks',
      summary: 'Partners that know this person',
      tags: ['Links'],
      response: { 200: LinksAnswer, ...refusals(...SIGNED_IN) },
    },
  },
  decideLink: {
    url: '/links/:linkId',
    schema: {
      operationId: 'decideLink',
      summary: "Confirm or refuse a partner's link",
      tags: ['Links'],
      params: LinkParams,
      body: LinkBody,
      response: { 200: LinksAnswer, ...refusals('not_found', 'conflict', ...TRUSTED) },
    },
  },
} as const

interface Deps {
  manageAccount: ManageAccount
  decideLink: DecideLink
}

// The member's partners: confirming and refusing their links.
export function registerLinks(scope: Server, deps: Deps, access: MemberAccess): void {
  const { listLinks, decideLink } = ROUTES

  // A web view belongs to one link and shows none of the member's others.
  async function answer({ memberId, linkId }: Visitor) {
    const links = await deps.manageAccount.links(memberId)
    const shown = links.filter((link) => linkId === null || link.id === linkId)
    return { links: shown.map(toAnswer) }
  }

  scope.get(listLinks.url, { schema: listLinks.schema }, async (request) =>
    answer(await access.visitor(request)),
  )

  scope.post(decideLink.url, { schema: decideLink.schema, ...jsonBody }, async (request) => {
    const visitor = await access.trusted(request)
    const { linkId } = request.params
    // In a web view any other link is unknown, also one of the same member: a partner's page must not find out who
    // else knows the person.
    if (visitor.linkId !== null && visitor.linkId !== linkId) throw new ApiError('not_found')
    // A partner can open the web view of any of its links, so a session there proves nothing. A verified identity
    // does.
    if (visitor.kind === 'web_view' && visitor.verifiedAt === null) throw new ApiError('step_up_required')
    const { decision } = request.body
    const outcome = await deps.decideLink({ memberId: visitor.memberId, linkId, decision })
    if (outcome.kind === 'refused') {
      throw new ApiError(outcome.reason === 'not_found' ? 'not_found' : 'conflict')
    }
    return answer(visitor)
  })
}

function toAnswer({ id, partner, registeredAt, status, confirmed }: MemberLink) {
  const decided = confirmed ? 'confirmed' : 'undecided'
  // A suspended link shows what its member decided. Suspension is between the operator and the partner.
  const state: 'undecided' | 'confirmed' | 'refused' = status === 'refused' ? 'refused' : decided
  return {
    id,
    partner,
    registeredAt: instantText(registeredAt),
    state,
    // A link that is not active answers its partner with 403, so the partner sees nothing.
    seesAll: status === 'active' && confirmed,
  }
}
