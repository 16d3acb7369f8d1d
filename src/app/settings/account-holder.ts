import { Secret } from '#base/crypto/secret.ts'
import { ACCOUNT_HOLDER_PROVIDERS, type AccountHolderProviderName } from '#providers/account-holder/port.ts'
import { type Mode, readChoice, readUrl, required, type SettingSource } from './setting-source.ts'

// Who says whose a bank account is. Read by config.ts.
export interface AccountHolderSettings {
  provider: AccountHolderProviderName | undefined
  portone: { url: string; apiSecret: Secret<'portone'> } | undefined
}

// The one that verifies people does this too, unless another is named.
export function readAccountHolder(source: SettingSource, mode: Mode): AccountHolderSettings {
  const why = 'in live mode won are paid to accounts of their own owners'
  const named = { ...source, get: (name: string) => source.get(name) ?? source.get('IDENTITY') }
  const provider = readChoice(named, 'ACCOUNT_HOLDER', ACCOUNT_HOLDER_PROVIDERS, mode, why)
  return { provider, portone: provider === 'portone' ? readPortone(source) : undefined }
}

function readPortone(source: SettingSource) {
  return {
    url: readUrl(source, 'PORTONE_URL', 'https://api.portone.io'),
    apiSecret: new Secret<'portone'>(required(source, 'ACCOUNT_HOLDER', 'PORTONE_API_SECRET')),
  }
}
