import type { HttpDeps } from '#edge/http/deps.ts'

const YEAR_SECONDS = 31_536_000

export type AnswerHeaders = Readonly<Record<string, string>>

// The headers of every answer, refusals and files included. Answers are about people's money, so no cache keeps them
// unless the route says otherwise. Under https browsers are told to stay with https.
export function answerHeaders({
  keyMode,
  publicUrl,
}: Pick<HttpDeps, 'keyMode' | 'publicUrl'>): AnswerHeaders {
  const secure = keyMode === 'live' && new URL(publicUrl).protocol === 'https:'
  return {
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    // For this host only: its subdomains may belong to others (decisions/0031).
    ...(secure ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` } : {}),
  }
}
