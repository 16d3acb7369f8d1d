import type { Database } from '#base/db/db.ts'
import type { Log } from '#base/log.ts'
import { inChunks } from '#jobs/in-chunks.ts'
import { eraseRequestedDetails } from '#modules/accounts/erasures.ts'
import { eraseOldDetails } from '#modules/accounts/store.ts'
import { eraseOldNotices } from '#modules/deliveries/notices/store.ts'
import { deleteOldGuesses } from '#modules/guesses/store.ts'
import { deleteOldVerifications } from '#modules/identity/store.ts'
import { deleteOldOnboardings } from '#modules/onboarding/store.ts'
import { deleteOldChallenges } from '#modules/passkeys/store.ts'
import { deleteOldRequests } from '#modules/requests/store.ts'
import { deleteOldDevices } from '#modules/sessions/devices.ts'
import { deleteOldHashKeys, deleteOldSessions } from '#modules/sessions/store.ts'
import { deleteOldLinks } from '#modules/staff/links.ts'
import { deleteOldStaffSessions } from '#modules/staff/sessions.ts'
import { eraseOldDestinations } from '#modules/withdrawals/store.ts'

const FORGOTTEN = [
  deleteOldHashKeys,
  deleteOldSessions,
  deleteOldStaffSessions,
  deleteOldLinks,
  deleteOldVerifications,
  deleteOldOnboardings,
  deleteOldGuesses,
  deleteOldChallenges,
  deleteOldDevices,
  deleteOldRequests,
  eraseOldDetails,
  eraseRequestedDetails,
  eraseOldDestinations,
  eraseOldNotices,
] as const

// Deletes what only served to let people in, or to answer questions about it, and is no longer of use: a chunk at a time.
export async function forgetOldLogins({ database, log }: { database: Database; log: Log }): Promise<void> {
  let total = 0
  for (const forget of FORGOTTEN) total += await inChunks(database, forget)
  log.info('old logins forgotten', { job: 'forget_old_logins', count: total })
}
