import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { Passkeys, Session } from '../../../../contract/member.gen.ts'
import { callApi } from '../api/call-api.ts'

// Apart from the rest: loaded where a passkey may be used, and by nobody else.

// `stopped`: by the person, by a timeout, or for want of a passkey; browsers do not tell which. `known`: this device has
// one for the account already.
export class PasskeyProblem extends Error {
  readonly reason: 'stopped' | 'known'

  constructor(reason: 'stopped' | 'known') {
    super(reason)
    this.reason = reason
  }
}

type Act = <T>(work: () => Promise<T>) => Promise<T>

export async function logInWithPasskey(): Promise<Session> {
  const { publicKey } = await callApi('POST /login/passkey/options')
  const { id, rawId, response } = await prompted(startAuthentication({ optionsJSON: publicKey }))
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  const signed = { clientDataJSON, authenticatorData, signature, ...(userHandle ? { userHandle } : {}) }
  return callApi('POST /login/passkey', {
    body: { credential: { id, rawId, type: 'public-key', response: signed } },
  })
}

// `act` asks for identity first, where it was not verified a moment ago.
export async function makePasskey(act: Act): Promise<Passkeys> {
  const { publicKey } = await act(() => callApi('POST /passkeys/options'))
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
