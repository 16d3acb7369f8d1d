// Whom the route is for. `none`: a path that no API has.
export const REQUEST_AUDIENCES = ['partner', 'member', 'console', 'none'] as const
export type RequestAudience = (typeof REQUEST_AUDIENCES)[number]

// What a request can be about.
type RequestObjectKind =
  | 'card'
  | 'member'
  | 'user'
  | 'partner'
  | 'key'
  | 'order'
  | 'withdrawal'
  | 'delivery'
  | 'approval'

export interface RequestObject {
  kind: RequestObjectKind
  id: string
}

// What is known when the answer leaves. No URL, no body and nothing that a caller typed.
export interface RequestRecord {
  id: string
  audience: RequestAudience
  method: string
  // The pattern of the path.
  route: string
  // 499: the caller hung up.
  status: number
  code: string | null
  reason: string | null
  ms: number
  // By performance.now(): the database's clock gives the moment when it is written.
  receivedAt: number
  partnerId: number | null
  keyId: string | null
  staffId: string | null
  // Whose session it was.
  memberId: string | null
  object: RequestObject | null
}

export interface KeptRequest extends Omit<RequestRecord, 'receivedAt'> {
  at: Temporal.Instant
  partner: { code: string; name: string } | null
  // The email of the one who asked, in the console.
  staff: string | null
}
