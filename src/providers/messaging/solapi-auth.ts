import { createHmac } from 'node:crypto'
import { pooledRandomBytes } from '#base/crypto/random.ts'
import type { Secret } from '#base/crypto/secret.ts'

// A signature is good once and for 15 minutes, so each request has its own.
export function signSolapi(apiKey: string, apiSecret: Secret<'solapi'>): string {
  const date = Temporal.Now.instant().toString({ smallestUnit: 'millisecond' })
  const salt = pooledRandomBytes(16).toString('hex')
  const signature = createHmac('sha256', apiSecret.reveal()).update(`${date}${salt}`).digest('hex')
  return `HMAC-SHA256 apiKey=${apiKey}, date=${date}, salt=${salt}, signature=${signature}`
}
