import type { FastifyRequest } from 'fastify'

// Whoever is signed in, by either door.
export interface Visitor {
  kind: 'member' | 'web_view'
  sessionId: string
  memberId: string
  holderId: string
  accountId: string | null
  linkId: string | null
  loginId: string | null
  name: string /* whole, for the withdrawal's holder */
  maskedName: string
  partnerName: string | null
  mustVerify: boolean
  verifiedAt: Temporal.Instant | null
}

export interface Gate {
  // Throws unauthorized.
  visitor(request: FastifyRequest): Promise<Visitor>
  // Throws step_up_required as well.
  trusted(request: FastifyRequest): Promise<Visitor>
}
