import { fingerprintOf } from '#base/crypto/token.ts'
import type { Database, Tx } from '#base/db/db.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import type { Guard, Limited } from '#flows/guesses/guard-guesses.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import type { StaffOpened } from '#flows/staff/open-session.ts'
import { acceptPasskey, type BegunCeremony, beginCeremony, checkPasskey } from '#flows/staff/passkey-proof.ts'
import { spendCode } from '#flows/staff/second-factor.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import type { RelyingParty, UsedCredential } from '#modules/passkeys/types.ts'
import { newStaffSession } from '#modules/staff/secrets.ts'
import { renewProven } from '#modules/staff/sessions.ts'
import { lockStaff } from '#modules/staff/store.ts'
import type { Staff } from '#modules/staff/types.ts'

const REFUSED = { kind: 'refused' } as const

// The session goes on, under a new id.
type ProofOutcome = StaffOpened | typeof REFUSED | Limited

export interface ProveIdentity {
  beginPasskey(staff: Staff): Promise<BegunCeremony>
  byPasskey(staff: Staff, command: PasskeyCommand): Promise<ProofOutcome>
  // Of the authenticator app, or a recovery code.
  byCode(staff: Staff, code: string, address: string | undefined): Promise<ProofOutcome>
  // The demo operator of a sandbox has nothing to prove it with. The edge has made sure of both.
  asDemo(staff: Staff): Promise<ProofOutcome>
}

interface PasskeyCommand {
  tokens: readonly string[]
  credential: UsedCredential
  address: string | undefined
}

interface Deps extends VaultDeps {
  guard: Guard
  queue: WorkQueue
}

// Proves again, in a session, who is there: for what a stolen cookie must not be enough for.
export function createProveIdentity(deps: Deps, party: RelyingParty | undefined): ProveIdentity {
  const { database, guard } = deps
  const isFailure = ({ kind }: ProofOutcome) => kind === 'refused'
  return {
    beginPasskey: ({ sessionId }) => beginCeremony(database, sessionId),
    byPasskey: (staff, { address, ...shown }) =>
      guard.attempt<ProofOutcome>(
        'login',
        { account: undefined, address },
        () => byPasskey(database, party, staff, shown),
        isFailure,
      ),
    byCode: (staff, code, address) =>
      guard.attempt<ProofOutcome>(
        'login',
        // By session: guesses at the email on the sign-in page do not keep those out who are in.
        { account: `staff session ${staff.sessionId}`, address },
        () =>
          withVault(deps, async (tx, vault) => {
            const locked = await lockStaff(tx, staff.staffId)
            const how = locked && (await spendCode(tx, vault, locked, code))
            return how ? renew(tx, staff, how === 'password' ? 'code' : how) : fail(tx, staff, 'code')
          }),
        isFailure,
      ),
    asDemo: (staff) => database.withTransaction((tx) => renew(tx, staff, 'demo')),
  }
}

async function byPasskey(
  database: Database,
  party: RelyingParty | undefined,
  staff: Staff,
  shown: Omit<PasskeyCommand, 'address'>,
): Promise<ProofOutcome> {
  if (!party) return REFUSED
  const used = await checkPasskey(database, party, { ...shown, of: staff.sessionId })
  // Of this very person: a colleague's passkey on the same machine proves someone else.
  if (used.kind === 'stale') return REFUSED
  return database.withTransaction(async (tx) => {
    const isOwn = used.kind === 'shown' && used.passkey.accountId === staff.staffId
    const owner = isOwn ? await acceptPasskey(tx, used) : undefined
    return owner && owner !== 'copied' ? renew(tx, staff, 'passkey') : fail(tx, staff, 'passkey')
  })
}

// Someone may have the cookie and no more.
async function fail(tx: Tx, { actor, staffId }: Staff, how: string): Promise<typeof REFUSED> {
  await insertAuditEntry(tx, { actor, action: 'staff.prove_failed', subject: staffId, details: { how } })
  return REFUSED
}

// Suspended or ended meanwhile: the session is over, and stays so.
async function renew(tx: Tx, staff: Staff, how: string): Promise<ProofOutcome> {
  const session = newStaffSession()
  if (!(await renewProven(tx, staff.sessionId, session.hash))) return REFUSED
  const { actor, staffId, sessionId } = staff
  const details = { how, session: sessionId, fingerprint: fingerprintOf(session.hash) }
  await insertAuditEntry(tx, { actor, action: 'staff.prove', subject: staffId, details })
  return { kind: 'opened', session: session.id }
}
