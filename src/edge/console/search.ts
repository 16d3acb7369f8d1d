import { refusals } from '#edge/http/error-answers.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { HIT_KINDS, type HitKind, personalPart, type Search } from '#flows/lists/search.ts'
import { KEPT_DAYS } from '#modules/requests/rules.ts'
import { isAllowed, type Permission } from '#modules/staff/permissions.ts'
import type { Staff } from '#modules/staff/types.ts'
import { type ConsoleAccess, staffOf } from './access.ts'
import { ListNameJson, maySee } from './lists.ts'
import { STAFF_ONLY } from './refusal-lists.ts'

const READS: Record<HitKind, Permission> = {
  card: 'cards.read',
  member: 'members.read',
  user: 'users.read',
  partner: 'partners.read',
  order: 'orders.read',
  withdrawal: 'withdrawals.read',
  approval: 'approvals.read',
  staff: 'staff.read',
  request: 'requests.read',
}
// Of these a partner's staff find their own.
const OF_PARTNERS: readonly HitKind[] = ['card', 'user', 'partner', 'request']

const mayFind = (staff: Staff) => (kind: HitKind) =>
  (staff.partnerId === null || OF_PARTNERS.includes(kind)) && isAllowed(staff.role, READS[kind])

const SearchAnswer = object('SearchAnswer', {
  hits: Type.Array(
    object('SearchHit', {
      kind: choice('HitKind', HIT_KINDS),
      title: Type.String(),
      path: Type.String({ description: 'Of its page, under /console.' }),
    }),
  ),
  list: Type.Union([
    object('SearchList', {
      list: ListNameJson,
      query: Type.String({ description: 'The filters, as in the address of the list.' }),
    }),
    Type.Null(),
  ]),
  isRequestId: Type.Boolean({
    description:
      'It is the id of a request. What it was about is the first hit. Without a hit it is not recorded, or not any more.',
  }),
  requestsKeptDays: Type.Integer({ description: 'How long requests are recorded.' }),
})

const SCHEMA = {
  operationId: 'search',
  summary: 'Find anything',
  description:
    'By an id, the id of a request, a card number, a phone number, a name, a login id, a partner code with or without a user key, or by filters ' +
    'such as `partner:hanbit-pay status:used`. Hits are exact. A search for a person is recorded.',
  tags: ['Search'],
  querystring: Type.Object({
    q: Type.String({ minLength: 1, maxLength: 400 }),
    people: Type.Optional(
      Type.Enum(['yes'], {
        type: 'string',
        description:
          'Look for a person by name or number, too. The page asks for it on Enter, not while somebody types.',
      }),
    ),
  }),
  response: { 200: SearchAnswer, ...refusals(...STAFF_ONLY) },
}

export function registerSearch(scope: Server, deps: { search: Search }, access: ConsoleAccess): void {
  scope.get('/search', { ...access.may('search.use', 'own'), schema: SCHEMA }, async (request) => {
    const staff = staffOf(request)
    const { q, people } = request.query
    // Before the search, so that one over the limit finds nothing.
    if (people === 'yes' && personalPart(q)) await access.countPeople(staff, [q])
    // The flow searches only where the caller may read. A hit never tells of something hidden.
    const rights = {
      mayFind: mayFind(staff),
      mayList: (list: Parameters<typeof maySee>[1]) => maySee(staff, list),
    }
    const { hits, list, isRequestId } = await deps.search(q, staff, {
      ...rights,
      // On Enter only: each search for a person is an audit entry.
      mayFindPeople: people === 'yes',
    })
    return {
      hits,
      // As in the address of the list, so that the page can lead there.
      list: list && { list: list.list, query: new URLSearchParams(list.asked).toString() },
      isRequestId,
      requestsKeptDays: KEPT_DAYS,
    }
  })
}
