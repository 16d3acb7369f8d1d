import { ALGORITHMS } from './rules.ts'
import type { MadeCredential, Passkey, ProvenKey, RelyingParty, UsedCredential } from './types.ts'

// Checks what a device signed. A browser may send anything; anything wrong proves nothing.

interface Expected {
  challenge: string
  party: RelyingParty
}

// Not with the start: it takes a quarter of a second, and memory that a service without passkeys need not have.
export const loadWebauthn = () => import('@simplewebauthn/server')

export async function proveMade(
  credential: MadeCredential,
  { challenge, party }: Expected,
): Promise<ProvenKey | undefined> {
  const { verifyRegistrationResponse } = await loadWebauthn()
  if (!(await isWithoutCertificates(credential))) return undefined
  const outcome = await verifyRegistrationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined)
  if (!outcome?.verified) return undefined
  const { credential: made, credentialDeviceType, credentialBackedUp } = outcome.registrationInfo
  return {
    credentialId: Buffer.from(made.id, 'base64url'),
    publicKey: Buffer.from(made.publicKey),
    counter: made.counter,
    transports: credential.response.transports ?? [],
    backupEligible: credentialDeviceType === 'multiDevice',
    backedUp: credentialBackedUp,
  }
}

// We ask for no statement about the maker of a device. One with certificates was put there by hand: checking it would
// fetch revocation lists from addresses that the sender chose.
async function isWithoutCertificates({ response }: MadeCredential): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  try {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
    const format = attestation.get('fmt')
    return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
  } catch {
    return false
  }
}

export type Used = { kind: 'right'; counter: number; backedUp: boolean } | { kind: 'wrong' }

// The caller checks the counter, under a lock. The library would refuse it before it looks at the signature, and then
// any caller could pretend that there is a copy.
export async function proveUsed(
  credential: UsedCredential,
  { credentialId, publicKey }: Pick<Passkey, 'credentialId' | 'publicKey'>,
  { challenge, party }: Expected,
): Promise<Used> {
  const { verifyAuthenticationResponse } = await loadWebauthn()
  const outcome = await verifyAuthenticationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: { id: credentialId.toString('base64url'), publicKey: new Uint8Array(publicKey), counter: 0 },
  }).catch(() => undefined)
  if (!outcome?.verified) return { kind: 'wrong' }
  const { newCounter, credentialBackedUp } = outcome.authenticationInfo
  return { kind: 'right', counter: newCounter, backedUp: credentialBackedUp }
}
