import type { Database } from '#base/db/db.ts'
import type { Log } from '#base/log.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import type { Guard, Limited } from '#flows/guesses/guard-guesses.ts'
import { noteFailedSignIn } from '#flows/staff/note-failure.ts'
import { openStaffSession, type StaffBrowser, type StaffOpened } from '#flows/staff/open-session.ts'
import { acceptPasskey, type BegunCeremony, beginCeremony, checkPasskey } from '#flows/staff/passkey-proof.ts'
import type { RelyingParty, UsedCredential } from '#modules/passkeys/types.ts'

type Looked = StaffOpened | { kind: 'refused'; reason: 'wrong' | 'copied' | 'stale' }

interface FinishCommand {
  // The browser's cookies, as they came.
  tokens: readonly string[]
  credential: UsedCredential
  browser: StaffBrowser
}

export interface StaffPasskeySignIn {
  begin(): Promise<BegunCeremony>
  finish(command: FinishCommand): Promise<Looked | Limited>
}

interface Deps {
  database: Database
  guard: Guard
  queue: WorkQueue
  log: Log
}

export function createStaffPasskeySignIn(deps: Deps, party: RelyingParty): StaffPasskeySignIn {
  const { database, guard, queue } = deps
  return {
    begin: () => queue('begin passkey', () => beginCeremony(database, null)),
    // A signature cannot be guessed. The cost of checking is what counts, by address.
    finish: (command) =>
      guard.attempt<Looked>(
        'login',
        { account: undefined, address: command.browser.address },
        () => queue('passkey', () => finish(deps, party, command)),
        (looked) => looked.kind === 'refused' && looked.reason !== 'stale',
      ),
  }
}

const refuse = (reason: 'wrong' | 'copied' | 'stale'): Looked => ({ kind: 'refused', reason })

async function finish(
  { database, log }: Deps,
  party: RelyingParty,
  { browser, ...shown }: FinishCommand,
): Promise<Looked> {
  const used = await checkPasskey(database, party, { ...shown, of: null })
  if (used.kind !== 'shown') {
    if (used.kind === 'wrong' && used.of !== undefined)
      await noteFailedSignIn(database, used.of, { how: 'passkey', wrong: 'signature' })
    return refuse(used.kind)
  }
  const looked = await database.withTransaction(async (tx) => {
    const staff = await acceptPasskey(tx, used)
    if (staff === 'copied') return refuse('copied')
    const opened =
      staff && (await openStaffSession(tx, staff.id, browser, { how: 'passkey', provenAt: 'now' }))
    return opened ?? refuse('wrong')
  })
  // Of a suspended person, or blocked.
  if (looked.kind === 'refused' && looked.reason === 'wrong')
    await noteFailedSignIn(database, used.passkey.accountId, { how: 'passkey', wrong: 'status' })
  if (looked.kind === 'refused' && looked.reason === 'copied') {
    log.warn('a passkey may have been copied', { code: used.passkey.id })
  }
  return looked
}
