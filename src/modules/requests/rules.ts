import type { KeptRequest, RequestRecord } from './types.ts'

export const KEPT_DAYS = 30

// A refused request without a valid key or session, or one that a rate limit refused. Nothing else limits their number.
export function isUnbounded({ status, partnerId, staffId, memberId }: RequestRecord): boolean {
  return status >= 400 && (status === 429 || (partnerId === null && staffId === null && memberId === null))
}

// partnerId: of a partner's staff, who see what their partner asked. Null: the operator.
export interface RequestReader {
  partnerId: number | null
  maySeeMembers: boolean
}

export function isShown(
  request: Pick<KeptRequest, 'audience' | 'partnerId'>,
  reader: RequestReader,
): boolean {
  if (reader.partnerId !== null) return request.partnerId === reader.partnerId
  return request.audience !== 'member' || reader.maySeeMembers
}
