import { fingerprintOf } from '#base/crypto/token.ts'
import type { Database, Tx } from '#base/db/db.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import { noteFailedSignIn } from '#flows/staff/note-failure.ts'
import { openStaffSession, type StaffBrowser, type StaffOpened } from '#flows/staff/open-session.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { actorOf, parseEmail } from '#modules/staff/rules.ts'
import type { StaffMember } from '#modules/staff/staff-member.ts'
import { bindSubject, findStaffByEmail, findStaffBySubject, lockStaff } from '#modules/staff/store.ts'

// Who a single sign-on provider says it is. Its signature was checked.
interface Person {
  issuer: string
  subject: string
  email: string | undefined
  emailVerified: boolean
  authenticatedAt: Temporal.Instant | undefined
}

export type SignInByProvider = (person: Person, browser: StaffBrowser) => Promise<StaffOpened | undefined>

// Only for staff who are there: a provider adds nobody, and says nothing about roles.
export function createSignInByProvider(database: Database, queue: WorkQueue): SignInByProvider {
  return (person, browser) =>
    queue('console sign-in', async () => {
      const { staff, opened } = await database.withTransaction(async (tx) => {
        const found = await findOwner(tx, person)
        const how = {
          how: 'single_sign_on',
          provenAt: person.authenticatedAt ?? null,
          account: accountOf(person),
        } as const
        return { staff: found, opened: found && (await openStaffSession(tx, found.id, browser, how)) }
      })
      if (staff && !opened)
        await noteFailedSignIn(database, staff.id, { how: 'single_sign_on', wrong: 'status' })
      return opened
    })
}

// `verify` makes it again in SQL.
const accountOf = ({ issuer, subject }: Person) => fingerprintOf(Buffer.from(`${issuer} ${subject}`))

// By the provider's own id of the person. An email can be given to another person later, so it counts once: the first
// sign-in binds the id.
async function findOwner(tx: Tx, person: Person): Promise<StaffMember | undefined> {
  const bound = await findStaffBySubject(tx, person)
  if (bound) return bound
  const email = person.emailVerified ? parseEmail(person.email ?? '') : undefined
  const found = email === undefined ? undefined : await findStaffByEmail(tx, email)
  const staff = found && (await lockStaff(tx, found.id))
  if (!staff || staff.oidcSubject !== null || staff.status !== 'active') return undefined
  await bindSubject(tx, staff.id, person)
  const details = { email: staff.email, issuer: person.issuer, fingerprint: accountOf(person) }
  await insertAuditEntry(tx, {
    actor: actorOf(staff),
    action: 'staff.sign_on_bind',
    subject: staff.id,
    details,
  })
  return staff
}
