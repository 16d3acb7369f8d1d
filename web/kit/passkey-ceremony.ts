import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'

// What the browser's prompts take and give, in the shape of our APIs. Pages load this file when they need it: the library is
// not part of their first files.

// `stopped`: by the person, by a timeout, or because there is no passkey. A browser does not say which, to protect privacy.
// `known`: this device has a passkey for the account already.
class PasskeyProblem extends Error {
  readonly reason: 'stopped' | 'known'

  constructor(reason: 'stopped' | 'known') {
    super(reason)
    this.reason = reason
  }
}

export async function askForPasskey(options: PublicKeyCredentialRequestOptionsJSON) {
  const { id, rawId, response } = await prompted(startAuthentication({ optionsJSON: options }))
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  const signed = { clientDataJSON, authenticatorData, signature, ...(userHandle ? { userHandle } : {}) }
  return { id, rawId, type: 'public-key' as const, response: signed }
}

export async function makeCredential(options: PublicKeyCredentialCreationOptionsJSON) {
  const { id, rawId, response } = await prompted(startRegistration({ optionsJSON: options }))
  const { clientDataJSON, attestationObject, transports } = response
  const made = { clientDataJSON, attestationObject, ...(transports ? { transports } : {}) }
  return { id, rawId, type: 'public-key' as const, response: made }
}

function prompted<T>(prompt: Promise<T>): Promise<T> {
  return prompt.catch((error: unknown) => {
    throw new PasskeyProblem((error as Error).name === 'InvalidStateError' ? 'known' : 'stopped')
  })
}
