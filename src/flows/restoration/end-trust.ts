import { sql } from 'kysely'
import type { Tx } from '#base/db/db.ts'

export interface Ended {
  sessions: number
  hashKeys: number
  devices: number
  codes: number
}

const count = ({ numAffectedRows }: { numAffectedRows?: bigint | undefined }) => Number(numAffectedRows ?? 0n)

// Ends everything that lets a browser in. The lost time may have ended any of it: a member logged out, changed a stolen
// password, or used up a code. What it ended must not open again.
export async function endTrust(tx: Tx): Promise<Ended> {
  const sessions = await sql`update web_session set ended_at = service_now() where ended_at is null`.execute(
    tx,
  )
  // Of the console: also links that were not used.
  const staff = await sql`update staff_session set ended_at = service_now() where ended_at is null`.execute(
    tx,
  )
  await sql`update staff_link set used_at = service_now() where used_at is null`.execute(tx)
  const hashKeys = await sql`delete from hash_key`.execute(tx)
  // The row of a link's first browser stays, without trust: otherwise the next browser would count as the first.
  const first = await sql`update device set trusted = false where first and trusted`.execute(tx)
  const others = await sql`delete from device where not first`.execute(tx)
  const codes = await sql`delete from identity_verification where used_at is null`.execute(tx)
  await sql`delete from passkey_challenge`.execute(tx)
  await sql`delete from onboarding`.execute(tx)
  return {
    sessions: count(sessions) + count(staff),
    hashKeys: count(hashKeys),
    devices: count(first) + count(others),
    codes: count(codes),
  }
}
