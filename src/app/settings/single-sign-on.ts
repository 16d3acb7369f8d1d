import { Secret } from '#base/crypto/secret.ts'
import { readUrl, required, type SettingSource } from './setting-source.ts'

// The company's own sign-on for staff. Read by config.ts.
export interface SingleSignOnSettings {
  issuer: string
  clientId: string
  clientSecret: Secret<'oidc'>
}

// Undefined: off. Off is the default.
export function readSingleSignOn(source: SettingSource): SingleSignOnSettings | undefined {
  if (source.get('OIDC_ISSUER') === undefined) {
    for (const name of ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']) {
      if (source.get(name) !== undefined) source.refuse(name, 'is set without OIDC_ISSUER')
    }
    return undefined
  }
  return {
    issuer: readUrl(source, 'OIDC_ISSUER', ''),
    clientId: required(source, 'OIDC_ISSUER', 'OIDC_CLIENT_ID'),
    clientSecret: new Secret(required(source, 'OIDC_ISSUER', 'OIDC_CLIENT_SECRET')),
  }
}
