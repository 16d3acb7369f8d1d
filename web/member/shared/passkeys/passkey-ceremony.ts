import type { Passkeys, Session } from '../../../../contract/member.gen.ts'
import { askForPasskey, makeCredential } from '../../../kit/passkey-ceremony.ts'
import { callApi } from '../api/call-api.ts'

// In a file of its own: only pages that may use a passkey load the library.

type WithStepUp = <T>(call: () => Promise<T>) => Promise<T>

// Two calls, because the challenge comes from the service and counts once.
export async function logInWithPasskey(): Promise<Session> {
  const { publicKey } = await callApi('POST /login/passkey/options')
  return callApi('POST /login/passkey', { body: { credential: await askForPasskey(publicKey) } })
}

// `withStepUp` asks for an identity verification first, if there was none in the last minutes.
export async function makePasskey(withStepUp: WithStepUp): Promise<Passkeys> {
  const { publicKey } = await withStepUp(() => callApi('POST /passkeys/options'))
  // No step-up here: the service gave the options only after one.
  return callApi('POST /passkeys', { body: { credential: await makeCredential(publicKey) } })
}
