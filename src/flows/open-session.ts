import type { Tx } from '#base/db.ts'
import { deviceOf, hashOfToken, newSessionId } from '#modules/web-view/rules.ts'
import { isKnownDevice, openSession, trustDevice } from '#modules/web-view/sessions.ts'
import type { DeviceId, SessionId } from '#modules/web-view/types.ts'

// The browser that asks, as it came: any of it may be missing or made up.
export interface Browser {
  sessions: readonly string[]
  device: string | undefined
  deviceLabel: string
  address: string | undefined
}

export interface Opened {
  kind: 'opened'
  session: SessionId
  device: DeviceId
}

// A new session for a member, always under a new name; those the browser had before end. Normally whoever got this far is
// trusted, and the browser known from now on. While passwords are being guessed, a stranger's browser has to prove more.
export async function openMemberSession(
  tx: Tx,
  accountId: string,
  browser: Browser,
  how: { verified: boolean; alarmed: boolean },
): Promise<Opened> {
  const session = newSessionId()
  const device = deviceOf(browser.device)
  const mustVerify = how.alarmed && !how.verified && !(await isKnownDevice(tx, accountId, device.hash))
  if (!mustVerify) await trustDevice(tx, accountId, device.hash)
  await openSession(tx, {
    hash: session.hash,
    accountId,
    deviceHash: device.hash,
    deviceLabel: browser.deviceLabel,
    mustVerify,
    verified: how.verified,
    before: browser.sessions.flatMap((token) => hashOfToken(token) ?? []),
  })
  return { kind: 'opened', session: session.id, device: device.id }
}
