import { timingSafeEqual } from 'node:crypto'
import { Secret } from '#base/crypto/secret.ts'
import { newToken } from '#base/crypto/token.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { StaffMember } from './staff-member.ts'

export type StaffDeviceToken = Secret<'staff device'> // the cookie's value

type Owner = Pick<StaffMember, 'id' | 'password'>

// A browser in which its owner has signed in with the password before. It opens nothing. It has its own count of guesses, so
// that strangers who guess at the email do not keep the owner out. Signed rather than stored: nothing has to be tidied, and
// another password ends it.
export function newStaffDevice(vault: Vault, owner: Owner): StaffDeviceToken {
  const id = newToken()
  return new Secret(`${id}.${signatureOf(vault, owner, id).toString('base64url')}`)
}

// The id of the first token that is of this person; undefined if none is.
export function knownStaffDevice(vault: Vault, owner: Owner, tokens: readonly string[]): string | undefined {
  return tokens
    .map((token) => token.split('.'))
    .find(([id = '', given = '']) => {
      const signature = signatureOf(vault, owner, id)
      const shown = Buffer.from(given, 'base64url')
      return shown.length === signature.length && timingSafeEqual(shown, signature)
    })?.[0]
}

function signatureOf(vault: Vault, { id, password }: Owner, device: string): Buffer {
  return vault.fingerprint('staff device', `${id} ${device} ${password}`)
}
