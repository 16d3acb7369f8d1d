import { Secret } from '#base/crypto/secret.ts'
import { IDENTITY_PROVIDERS, type IdentityProviderName } from '#providers/identity/port.ts'
import { type Mode, readChoice, readUrl, required, type SettingSource } from './setting-source.ts'

// Who verifies people, and what they know us by. Read by config.ts.
export interface IdentitySettings {
  provider: IdentityProviderName | undefined
  portone: PortoneSettings | undefined
}

interface PortoneSettings {
  url: string
  apiSecret: Secret<'portone'>
  storeId: string
  channelKey: string
}

export function readIdentity(source: SettingSource, mode: Mode): IdentitySettings {
  const why = 'in live mode people have to be who they say they are'
  const provider = readChoice(source, 'IDENTITY', IDENTITY_PROVIDERS, mode, why)
  return { provider, portone: provider === 'portone' ? readPortone(source) : undefined }
}

function readPortone(source: SettingSource): PortoneSettings {
  return {
    url: readUrl(source, 'PORTONE_URL', 'https://api.portone.io'),
    apiSecret: new Secret(required(source, 'IDENTITY', 'PORTONE_API_SECRET')),
    storeId: required(source, 'IDENTITY', 'PORTONE_STORE_ID'),
    channelKey: required(source, 'IDENTITY', 'PORTONE_CHANNEL_KEY'),
  }
}
