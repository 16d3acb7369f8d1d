import Type from 'typebox'
import { object } from '#edge/http/named-schemas.ts'
import { uuid } from '#edge/http/uuid.ts'

// WebAuthn in JSON (W3C, level 3): what a page hands to the browser, and what the browser hands back.

const moment = Type.String({ format: 'date-time', examples: ['2026-11-15T03:00:00Z'] })
const base64url = (maxLength: number) =>
  Type.String({ description: 'base64url.', pattern: '^[A-Za-z0-9_-]+$', maxLength })
const publicKeyType = Type.Literal('public-key')
const transports = Type.Array(Type.String({ pattern: '^[a-z-]{1,20}$' }), { maxItems: 8 })

export const MakeAnswer = object('PasskeyToMake', {
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
})

export const UseAnswer = object('PasskeyToUse', {
  publicKey: object('PasskeyRequestOptions', {
    challenge: Type.String(),
    rpId: Type.String({ examples: ['ingot.example'] }),
    timeout: Type.Integer({ description: 'Milliseconds.' }),
    userVerification: Type.Literal('required'),
  }),
})

const credentialId = base64url(1_364)

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

export const PasskeysAnswer = object('Passkeys', {
  passkeys: Type.Array(
    object('Passkey', {
      id: uuid(),
      name: Type.String({ examples: ['Chrome · Android'] }),
      synced: Type.Boolean({ description: 'Whether the member has it on other devices, too.' }),
      blocked: Type.Boolean({ description: 'A copy of it may be about: it no longer logs in.' }),
      createdAt: moment,
      lastUsedAt: Type.Union([moment, Type.Null()]),
    }),
  ),
  canAdd: Type.Boolean({ description: 'Ten are the most.' }),
})

export const PasskeyParams = Type.Object({ passkeyId: uuid() })
export const PasskeyNameBody = object('PasskeyName', { name: Type.String({ minLength: 1, maxLength: 100 }) })
