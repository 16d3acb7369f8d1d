import { readFileSync, statSync } from 'node:fs'
import type { SettingSource } from './setting-source.ts'

// Secrets that may come from a file: NAME_FILE instead of NAME, as containers and systemd hand them over.
const SECRETS = new Set([
  'DATABASE_URL',
  'SOLAPI_API_KEY',
  'SOLAPI_API_SECRET',
  'SOLAPI_WEBHOOK_SECRET',
  'NHN_ALIMTALK_APPKEY',
  'NHN_ALIMTALK_SECRET_KEY',
  'NHN_SENDER_KEY',
  'NHN_SMS_APPKEY',
  'NHN_SMS_SECRET_KEY',
  'NHN_WEBHOOK_SECRET',
  'PORTONE_API_SECRET',
  'PORTONE_CHANNEL_KEY',
  'GOLDAPI_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OIDC_CLIENT_SECRET',
])

const MAX_BYTES = 65_536

export function withSecretFiles({ get, refuse }: SettingSource): SettingSource {
  return {
    refuse,
    get(name) {
      const value = get(name)
      const file = SECRETS.has(name) ? get(`${name}_FILE`) : undefined
      if (file === undefined) return value
      const secret =
        value === undefined ? readSecret(file) : { why: `is set beside ${name}: set one of them` }
      if ('text' in secret) return secret.text
      refuse(`${name}_FILE`, secret.why)
      return value
    },
  }
}

// Mounted secrets are often readable by every account of their container, so only what others can change is refused.
function readSecret(file: string): { text: string } | { why: string } {
  try {
    const stat = statSync(file)
    if (!stat.isFile() || stat.size > MAX_BYTES) return { why: 'is not a file of at most 64 kB' }
    if ((stat.mode & 0o022) !== 0) return { why: 'can be changed by other accounts: chmod go-w' }
    // Editors and `echo` end a file with a line break, which belongs to no secret.
    const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    return text === '' ? { why: 'is empty' } : { text }
  } catch (error) {
    return { why: `cannot be read (${(error as NodeJS.ErrnoException).code})` }
  }
}
