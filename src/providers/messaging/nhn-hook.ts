import type { Secret } from '#base/crypto/secret.ts'
import { listOf, recordOf, textOf } from '#base/text/untrusted-json.ts'
import { nhnStatus } from './nhn-codes.ts'
import type { Report, ReportHook } from './port.ts'
import { attemptOf, isSameSecret } from './wire-values.ts'

export function createNhnHook(secret: Secret<'nhn-webhook'>): ReportHook {
  return {
    // What they call a signature is a fixed text of our choosing.
    isAuthentic: (headers) => isSameSecret(headers['x-toast-webhook-signature'], secret.reveal()),
    read(body) {
      const { event, hooks } = recordOf(body)
      if (typeof event !== 'string' || !Array.isArray(hooks)) return undefined
      // Other events (a template approved, a number that opted out) are theirs to send and nothing to us.
      return event === 'MESSAGE_RESULT_UPDATE' ? listOf(hooks).flatMap(reportOf) : []
    },
  }
}

function reportOf(hook: Record<string, unknown>): Report[] {
  // The texts' reports were documented with a misspelt field.
  const name = textOf(hook.recipientGroupingKey) ?? textOf(hook.recipientGropuingKey) ?? ''
  const [, key, digits] = /^(.+):(\d+)$/.exec(name) ?? []
  const attempt = attemptOf(digits)
  if (key === undefined || attempt === undefined) return []
  const [requestId, sequence] = [textOf(hook.requestId), textOf(hook.recipientSeq)]
  const messageId = requestId && sequence ? `${requestId}/${sequence}` : null
  const channel = hook.kakaoMessageType === undefined ? 'text' : 'alimtalk'
  const outcome = nhnStatus(channel, textOf(hook.messageStatus), textOf(hook.resultCode), messageId)
  return [{ key, attempt, outcome }]
}
