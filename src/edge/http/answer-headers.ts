import type { HttpDeps } from '#edge/http/deps.ts'

const YEAR_SECONDS = 31_536_000

export type AnswerHeaders = Readonly<Record<string, string>>

// What every answer carries, refusals and files included. Answers are about somebody's money: nobody keeps them, unless the
// route says otherwise. Browsers are told to stay with https where they come by it.
export function answerHeaders({
  keyMode,
  publicUrl,
}: Pick<HttpDeps, 'keyMode' | 'publicUrl'>): AnswerHeaders {
  const secure = keyMode === 'live' && new URL(publicUrl).protocol === 'https:'
  return {
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(secure ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` } : {}),
  }
}
