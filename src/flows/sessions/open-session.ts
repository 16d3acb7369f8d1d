import { hashesOfTokens } from '#base/crypto/token.ts'
import type { Tx } from '#base/db/db.ts'
import { MemberFrozen } from '#flows/kit/member-frozen.ts'
import { holdAccount } from '#modules/accounts/store.ts'
import { endTrust, findKnownDevices, trustDevice } from '#modules/sessions/devices.ts'
import { deviceList, newDevice, newSessionId } from '#modules/sessions/rules.ts'
import { openSession } from '#modules/sessions/store.ts'
import type { DeviceId, SessionId } from '#modules/sessions/types.ts'

// The browser that asks, as it came: any of it may be missing or made up.
export interface Browser {
  sessions: readonly string[]
  devices: readonly string[]
  deviceLabel: string
  address: string | undefined
  language: 'ko' | 'en'
}

export interface Opened {
  kind: 'opened'
  session: SessionId
  // All that the browser is to keep.
  devices: DeviceId
  isNewDevice: boolean
}

// A new session for a member and a new id for the browser. The browser's former sessions end, and its trust continues
// under the new id. A password alone makes no browser trusted: an unknown one must verify identity before it trades.
// Every way in ends here, so this is where a frozen member is refused.
export async function openMemberSession(
  tx: Tx,
  accountId: string,
  browser: Browser,
  how: { verified: boolean },
): Promise<Opened> {
  // Held, so that a freeze waits for this session and ends it, or is seen.
  if ((await holdAccount(tx, accountId))?.frozen) throw new MemberFrozen()
  const session = newSessionId()
  const device = newDevice()
  const brought = hashesOfTokens(browser.devices)
  const replaced = await endTrust(tx, accountId, brought)
  const trusted = replaced.length > 0 || how.verified
  if (trusted) await trustDevice(tx, accountId, device.hash)
  await openSession(tx, {
    hash: session.hash,
    accountId,
    deviceHash: device.hash,
    deviceLabel: browser.deviceLabel,
    mustVerify: !trusted,
    verified: how.verified,
    before: hashesOfTokens(browser.sessions),
  })
  const devices = await deviceList(device.id, browser.devices, replaced, (hashes) =>
    findKnownDevices(tx, hashes),
  )
  return { kind: 'opened', session: session.id, devices, isNewDevice: replaced.length === 0 }
}
