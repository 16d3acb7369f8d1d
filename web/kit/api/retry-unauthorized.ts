import { refusalOf } from './refusal.ts'

export interface SessionWatch {
  // Whether the service still has the same person signed in.
  isStillSignedIn(): Promise<boolean>
  onEnded(): void
}

// Verifying identity replaces the session's cookie. A call that was under way with the old cookie is refused before it does
// anything, so one retry is safe. If the person really is signed out, the pages forget what they show.
export async function retryUnauthorized<Answer>(
  call: () => Promise<Answer>,
  session: SessionWatch,
): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    if (!isUnauthorized(error)) throw error
    if (!(await session.isStillSignedIn())) {
      session.onEnded()
      throw error
    }
  }
  try {
    return await call()
  } catch (error) {
    if (isUnauthorized(error)) session.onEnded()
    throw error
  }
}

function isUnauthorized(error: unknown): boolean {
  return refusalOf(error).code === 'unauthorized'
}
