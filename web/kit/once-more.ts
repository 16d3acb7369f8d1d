import type { ErrorCode } from '../../contract/member.gen.ts'

// What the service refused, or `offline` when nobody answered.
export class Refusal extends Error {
  readonly code: ErrorCode | 'offline'
  readonly retryAfterSeconds: number | undefined
  // Whom to ask, of a refusal that only a person can help with.
  readonly contact: string | undefined

  constructor(code: ErrorCode | 'offline', retryAfterSeconds?: number, contact?: string) {
    super(code)
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
    this.contact = contact
  }
}

export function refusalOf(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('offline')
}

const LOST = new Set(['offline', 'service_unavailable', 'request_timeout', 'internal_error'])

// Nobody can say whether it was done: what is sent again must carry the same id.
export function isLost({ code }: Refusal): boolean {
  return LOST.has(code)
}

export interface SignedOut {
  // Whether the same person is still signed in, as the service sees it now.
  isStill(): Promise<boolean>
  onEnded(): void
}
// Verifying identity gives the session a new name, and what was under way went by the old one: nothing was done, so it is
// asked again, once. If it is true that nobody is signed in any more, the pages forget what they show.
export async function onceMore<Answer>(ask: () => Promise<Answer>, signedOut: SignedOut): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (!isUnknown(error)) throw error
    if (!(await signedOut.isStill())) {
      signedOut.onEnded()
      throw error
    }
  }
  try {
    return await ask()
  } catch (error) {
    if (isUnknown(error)) signedOut.onEnded()
    throw error
  }
}

function isUnknown(error: unknown): boolean {
  return refusalOf(error).code === 'unauthorized'
}
