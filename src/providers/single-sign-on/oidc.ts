import type { Configuration } from 'openid-client'
import type { Secret } from '#base/crypto/secret.ts'
import type { SignedOn, SignOnAttempt, SingleSignOn } from './port.ts'

export interface OidcOptions {
  issuer: string
  clientId: string
  clientSecret: Secret<'oidc'>
  // Why somebody could not sign on: never a secret.
  onFailure(reason: string): void
}

const TIMEOUT_SECONDS = 5

// Any OpenID Connect provider. The library loads with the first sign-on: most installations have none.
export function createOidc({ issuer, clientId, clientSecret, onFailure }: OidcOptions): SingleSignOn {
  let known: Promise<Configuration> | undefined
  async function configuration(): Promise<Configuration> {
    known ??= discover().catch((error: unknown) => {
      // Asked again at the next sign-on.
      known = undefined
      throw error
    })
    return known
  }
  async function discover(): Promise<Configuration> {
    const { discovery, allowInsecureRequests, enableNonRepudiationChecks } = await import('openid-client')
    const server = new URL(issuer)
    // Plain http only to this machine: settings refuse any other.
    const insecure = server.protocol === 'http:' ? [allowInsecureRequests] : []
    // Signatures are checked, too: by default the library trusts the connection that a token came over.
    const options = { execute: [enableNonRepudiationChecks, ...insecure], timeout: TIMEOUT_SECONDS }
    return discovery(server, clientId, clientSecret.reveal(), undefined, options)
  }
  return {
    async begin({ state, nonce, verifier }, redirectUri, again) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
      const address = buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid email',
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        ...(again ? { prompt: 'login', max_age: '0' } : {}),
      })
      return address.href
    },
    async finish(attempt, address) {
      try {
        return await exchange(await configuration(), attempt, address)
      } catch (error) {
        onFailure((error as { code?: string }).code ?? (error as Error).name)
        return undefined
      }
    },
  }
}

async function exchange(
  config: Configuration,
  { state, nonce, verifier }: SignOnAttempt,
  address: URL,
): Promise<SignedOn | undefined> {
  const { authorizationCodeGrant } = await import('openid-client')
  const tokens = await authorizationCodeGrant(config, address, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) return undefined
  const { email, email_verified: verified, auth_time: at } = claims
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: typeof email === 'string' ? email : undefined,
    emailVerified: verified === true,
    authenticatedAt:
      typeof at === 'number' ? Temporal.Instant.fromEpochMilliseconds(Math.floor(at) * 1_000) : undefined,
  }
}
