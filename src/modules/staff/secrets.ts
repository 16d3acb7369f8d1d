import { Secret } from '#base/crypto/secret.ts'
import { hashToken, newToken } from '#base/crypto/token.ts'

export type StaffSessionId = Secret<'staff session'> // the cookie's value
export type StaffLinkToken = Secret<'staff link'> // opens the welcome page once

export function newStaffSession(): { id: StaffSessionId; hash: Buffer } {
  const id = newToken()
  return { id: new Secret(id), hash: hashToken(id) }
}

// The secret is behind the #, so that no server or proxy on the way logs it.
export function linkUrl(publicUrl: string, token: StaffLinkToken): string {
  return `${publicUrl.replace(/\/+$/, '')}/console/welcome#${token.reveal()}`
}

export function newLink(): { token: StaffLinkToken; hash: Buffer } {
  const token = newToken()
  return { token: new Secret(token), hash: hashToken(token) }
}
