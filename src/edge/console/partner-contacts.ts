import { jsonBody } from '#edge/http/json-body.ts'
import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { uuid } from '#edge/http/uuid.ts'
import type { PartnerContacts } from '#flows/partners/contacts.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import { refusedBy } from './acting-person.ts'
import { actRefusals, ReasonBody, reason } from './object-parts.ts'

const code = Type.String({ minLength: 1, maxLength: 64 })
const text = Type.Union([Type.String({ maxLength: 200 }), Type.Null()])
const tags = ['Partners']

const SCHEMAS = {
  add: {
    tags,
    operationId: 'addPartnerContact',
    summary: 'Add a person who is told at a partner',
    description: 'Contacts with a phone get a text message when 80% and 95% of the credit limit are used.',
    params: Type.Object({ code }),
    body: object('NewPartnerContact', {
      name: Type.String({ maxLength: 200 }),
      phone: text,
      email: text,
      reason,
    }),
    response: { 200: Type.Null(), ...actRefusals },
  },
  remove: {
    tags,
    operationId: 'removePartnerContact',
    summary: 'Remove a contact of a partner',
    description: 'What was known of the person is erased.',
    params: Type.Object({ code, contactId: uuid() }),
    body: ReasonBody,
    response: { 200: Type.Null(), ...actRefusals },
  },
} as const

// No route changes a contact: it is shown masked, so it is removed and added again.
export function registerPartnerContacts(
  scope: Server,
  deps: { partnerContacts: PartnerContacts },
  access: ConsoleAccess,
): void {
  const proven = access.mayWithProof('partners.change', 'operator')

  scope.post('/partners/:code/contacts', { ...proven, schema: SCHEMAS.add, ...jsonBody }, async (request) => {
    const { actor } = staffOf(request)
    const outcome = await deps.partnerContacts.add({ ...request.params, ...request.body, actor })
    if (outcome.kind === 'refused') throw refusedBy(outcome)
    return null
  })

  scope.post(
    '/partners/:code/contacts/:contactId/remove',
    { ...proven, schema: SCHEMAS.remove, ...jsonBody },
    async (request) => {
      const { actor } = staffOf(request)
      const { code: of, contactId: id } = request.params
      const outcome = await deps.partnerContacts.remove({ code: of, id, reason: request.body.reason, actor })
      if (outcome.kind === 'refused') throw refusedBy(outcome)
      return null
    },
  )
}
