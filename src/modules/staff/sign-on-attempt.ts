import { hash } from 'node:crypto'
import { Secret } from '#base/crypto/secret.ts'
import { hashOfToken, newToken } from '#base/crypto/token.ts'

// Keeps a single sign-on together with the browser that began it.
export type SignOnToken = Secret<'sign-on'>

export function newSignOn(): SignOnToken {
  return new Secret(newToken())
}

// State, nonce and PKCE verifier all follow from the browser's cookie, so nothing is kept here: the provider takes each code
// once. Undefined if it is not one cookie of ours: a second one was planted.
export function attemptOf(tokens: readonly string[]) {
  const [token] = tokens
  if (token === undefined || tokens.length > 1 || !hashOfToken(token)) return undefined
  const derive = (what: string) => hash('sha256', `${what} ${token}`, 'base64url')
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') }
}
