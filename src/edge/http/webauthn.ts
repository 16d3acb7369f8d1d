import { Type } from '#edge/http/json-schema.ts'
import { object } from '#edge/http/named-schemas.ts'
import { ALGORITHMS, CEREMONY_SECONDS, userHandleOf } from '#modules/passkeys/rules.ts'
import type { RelyingParty } from '#modules/passkeys/types.ts'

// WebAuthn in JSON (W3C, level 3): what a page hands to the browser, and what the browser hands back.
const base64url = (maxLength: number) =>
  Type.String({ description: 'base64url.', pattern: '^[A-Za-z0-9_-]+$', maxLength })

const publicKeyType = Type.Literal('public-key')

// WebAuthn allows 1,023 bytes for a credential id, which are 1,364 characters of base64url.
const credentialId = base64url(1_364)

const TIMEOUT = CEREMONY_SECONDS * 1_000

export const UseAnswer = object(
  'PasskeyToUse',
  {
    publicKey: object('PasskeyRequestOptions', {
      challenge: Type.String(),
      rpId: Type.String({ examples: ['ingot.example'] }),
      timeout: Type.Integer({ description: 'Milliseconds.' }),
      userVerification: Type.Literal('required'),
    }),
  },
  { description: 'What the browser needs to ask for a passkey.' },
)

export const UsedBody = object('UsedPasskey', {
  credential: object('UsedCredential', {
    id: credentialId,
    rawId: credentialId,
    type: publicKeyType,
    response: object('AssertionResponse', {
      clientDataJSON: base64url(4_000),
      authenticatorData: base64url(4_000),
      signature: base64url(2_000),
      userHandle: Type.Optional(base64url(88)),
    }),
  }),
})

const transports = Type.Array(Type.String({ pattern: '^[a-z-]{1,20}$' }), { maxItems: 8 })

export const MakeAnswer = object(
  'PasskeyToMake',
  {
    publicKey: object('PasskeyCreationOptions', {
      challenge: Type.String(),
      rp: object('RelyingParty', { id: Type.String({ examples: ['ingot.example'] }), name: Type.String() }),
      user: object('PasskeyUser', { id: Type.String(), name: Type.String(), displayName: Type.String() }),
      pubKeyCredParams: Type.Array(object('PasskeyAlgorithm', { type: publicKeyType, alg: Type.Integer() })),
      timeout: Type.Integer({ description: 'Milliseconds.' }),
      attestation: Type.Literal('none'),
      excludeCredentials: Type.Array(
        object('PasskeyDescriptor', {
          type: publicKeyType,
          id: Type.String(),
          transports: Type.Array(Type.String()),
        }),
      ),
      authenticatorSelection: object('AuthenticatorSelection', {
        residentKey: Type.Literal('required'),
        requireResidentKey: Type.Literal(true),
        userVerification: Type.Literal('required'),
      }),
    }),
  },
  { description: 'What the browser needs to make a passkey.' },
)

export const MadeBody = object('MadePasskey', {
  credential: object('MadeCredential', {
    id: credentialId,
    rawId: credentialId,
    type: publicKeyType,
    response: object('AttestationResponse', {
      clientDataJSON: base64url(4_000),
      attestationObject: base64url(8_000),
      transports: Type.Optional(transports),
    }),
  }),
})

// Without a list of passkeys, which would tell who has an account.
export function toUse(party: RelyingParty, challenge: string) {
  return { challenge, rpId: party.id, timeout: TIMEOUT, userVerification: 'required' as const }
}

export interface ToMake {
  challenge: string
  // The account, and the name that the device shows beside the passkey.
  ownerId: string
  name: string
  known: readonly { credentialId: Buffer; transports: readonly string[] }[]
}

export function toMake(party: RelyingParty, { challenge, ownerId, name, known }: ToMake) {
  return {
    challenge,
    rp: { id: party.id, name: 'Ingot' },
    user: { id: userHandleOf(ownerId), name, displayName: name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: TIMEOUT,
    // A statement's certificates would be checked at addresses that the sender chose (decisions/0038).
    attestation: 'none' as const,
    // A browser makes no second passkey on a device that has one of these.
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      type: 'public-key' as const,
      id: credentialId.toString('base64url'),
      transports: [...transports],
    })),
    // The device finds the passkey itself, without a typed id, and its owner unlocks it each time.
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true as const,
      userVerification: 'required' as const,
    },
  }
}
