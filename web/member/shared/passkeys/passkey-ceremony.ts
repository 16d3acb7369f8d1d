import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { Passkeys, Session } from '../../../../contract/member.gen.ts'
import { callApi } from '../api/call-api.ts'

// In a file of its own: only pages that may use a passkey load the library.

// `stopped`: by the person, by a timeout, or because there is no passkey. A browser does not say which, to protect privacy.
// `known`: this device has a passkey for the account already.
export class PasskeyProblem extends Error {
  readonly reason: 'stopped' | 'known'

  constructor(reason: 'stopped' | 'known') {
    super(reason)
    this.reason = reason
  }
}

type WithStepUp = <T>(call: () => Promise<T>) => Promise<T>

export async function logInWithPasskey(): Promise<Session> {
  const { publicKey } = await callApi('POST /login/passkey/options')
  const { id, rawId, response } = await prompted(startAuthentication({ optionsJSON: publicKey }))
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  const signed = { clientDataJSON, authenticatorData, signature, ...(userHandle ? { userHandle } : {}) }
  return callApi('POST /login/passkey', {
    body: { credential: { id, rawId, type: 'public-key', response: signed } },
  })
}

// `withStepUp` asks for an identity verification first, if there was none in the last minutes.
export async function makePasskey(withStepUp: WithStepUp): Promise<Passkeys> {
  const { publicKey } = await withStepUp(() => callApi('POST /passkeys/options'))
  const { id, rawId, response } = await prompted(startRegistration({ optionsJSON: publicKey }))
  const { clientDataJSON, attestationObject, transports } = response
  const made = { clientDataJSON, attestationObject, ...(transports ? { transports } : {}) }
  return callApi('POST /passkeys', {
    body: { credential: { id, rawId, type: 'public-key', response: made } },
  })
}

function prompted<T>(prompt: Promise<T>): Promise<T> {
  return prompt.catch((error: unknown) => {
    throw new PasskeyProblem((error as Error).name === 'InvalidStateError' ? 'known' : 'stopped')
  })
}
