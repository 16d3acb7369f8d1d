import { fingerprintOf, hashesOfTokens } from '#base/crypto/token.ts'
import type { Tx } from '#base/db/db.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import type { StaffDeviceToken } from '#modules/staff/known-device.ts'
import { actorOf } from '#modules/staff/rules.ts'
import { newStaffSession, type StaffSessionId } from '#modules/staff/secrets.ts'
import { insertStaffSession, leaveStaffSessions } from '#modules/staff/sessions.ts'
import { lockStaff } from '#modules/staff/store.ts'
import type { StaffId } from '#modules/staff/types.ts'

// The browser that asks, as it came: any of it may be missing or made up.
export interface StaffBrowser {
  sessions: readonly string[]
  deviceLabel: string
  address: string | undefined
  // By which its owner's browser is known. Absent where that does not count.
  devices?: readonly string[]
}

export interface StaffOpened {
  kind: 'opened'
  session: StaffSessionId
  // To keep: the browser is known from now on.
  device?: StaffDeviceToken
}

export interface HowProven {
  how: 'passkey' | 'password' | 'recovery_code' | 'single_sign_on' | 'demo' | 'link'
  provenAt: Temporal.Instant | 'now' | null
  // The fingerprint of the provider's account, after a single sign-on.
  account?: string
}

// Every way into the console ends here: a new session under a new id, and the end of those that the browser brought.
// Undefined if the person may not come in. The lock makes a suspension that is under way wait, or be seen.
export async function openStaffSession(
  tx: Tx,
  staffId: StaffId,
  browser: StaffBrowser,
  { how, provenAt, account }: HowProven,
): Promise<StaffOpened | undefined> {
  const staff = await lockStaff(tx, staffId)
  if (staff?.status !== 'active') return undefined
  const session = newStaffSession()
  const { deviceLabel, address = null } = browser
  const left = await leaveStaffSessions(tx, hashesOfTokens(browser.sessions))
  const ended = left.map((one) => one.session)
  const id = await insertStaffSession(tx, { hash: session.hash, staffId, provenAt, deviceLabel, address })
  await insertAuditEntry(tx, {
    actor: actorOf(staff),
    action: 'staff.sign_in',
    subject: staff.id,
    details: {
      how,
      device: deviceLabel,
      session: id,
      fingerprint: fingerprintOf(session.hash),
      ...(account && { account }),
      ...(ended.length > 0 && { ended }),
    },
  })
  return { kind: 'opened', session: session.id }
}
