import { createHash } from 'node:crypto'
import type { Secret } from '#base/crypto/secret.ts'
import { listOf, recordOf, textOf } from '#base/text/untrusted-json.ts'
import type { ReportHook } from './port.ts'
import { solapiStatus } from './solapi-codes.ts'
import { attemptOf, isSameSecret } from './wire-values.ts'

export function createSolapiHook(secret: Secret<'solapi-webhook'>): ReportHook {
  // The header carries the secret's SHA-1 in hex; older documents show the secret itself.
  const hashed = createHash('sha1').update(secret.reveal()).digest('hex')
  return {
    isAuthentic(headers) {
      const given = headers['x-solapi-secret']
      const first = isSameSecret(given, hashed)
      return isSameSecret(given, secret.reveal()) || first
    },
    read(body) {
      if (!Array.isArray(body)) return undefined
      return listOf(body).flatMap((entry) => {
        const fields = recordOf(entry.customFields)
        const [key, attempt, code] = [textOf(fields.key), attemptOf(fields.attempt), textOf(entry.statusCode)]
        if (key === undefined || attempt === undefined || code === undefined) return []
        return [{ key, attempt, outcome: solapiStatus(code, textOf(entry.messageId) ?? null) }]
      })
    },
  }
}
