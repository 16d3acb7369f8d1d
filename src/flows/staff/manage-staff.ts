import type { Database, Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { type NoPartner, type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { askForRole } from '#flows/staff/change-role.ts'
import type { ChangeRequest, Person } from '#modules/approvals/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import type { AuditFacts } from '#modules/audit/types.ts'
import { findPartner } from '#modules/partners/store.ts'
import { deletePasskeys, OF_STAFF } from '#modules/passkeys/store.ts'
import { endLinks, replaceLink } from '#modules/staff/links.ts'
import { isAllowed, isPartnerRole, type Role } from '#modules/staff/permissions.ts'
import { parseEmail, parseName } from '#modules/staff/rules.ts'
import { newLink, type StaffLinkToken } from '#modules/staff/secrets.ts'
import { endStaffSessions } from '#modules/staff/sessions.ts'
import type { StaffMember } from '#modules/staff/staff-member.ts'
import {
  clearCredentials,
  findStaffByEmail,
  hasAdmin,
  insertStaff,
  lockStaff,
  setStatus,
} from '#modules/staff/store.ts'

interface AddStaffCommand extends Person {
  email: string
  name: string
  role: Role
  // The code of the partner whose staff it is.
  partner?: string | undefined
  reason: string | null
}

type AddStaffRefusal =
  | Refusal<'bad_email' | 'bad_name' | 'email_taken'>
  // An operator's role with a partner, or a partner's role without one.
  | Refusal<'role_of_other_tenant', { role: Role }>
  | NoPartner

export interface Invited {
  kind: 'done'
  staff: StaffMember
  // Good once.
  link: StaffLinkToken
  expiresAt: Temporal.Instant
  // The role that was asked for, if it takes a second person. Until then the person is a viewer.
  waiting?: ChangeRequest
}

// The first that applies.
export function addStaff(database: Database, command: AddStaffCommand): Promise<Invited | AddStaffRefusal> {
  const { role, actor } = command
  const email = parseEmail(command.email)
  const name = parseName(command.name)
  return withOutcome(database, async (tx) => {
    if (email === undefined) return refused('bad_email')
    if (name === undefined) return refused('bad_name')
    if (isPartnerRole(role) !== (command.partner !== undefined))
      return refused('role_of_other_tenant', { role })
    const partner = command.partner === undefined ? undefined : await findPartner(tx, command.partner)
    if (command.partner !== undefined && !partner)
      return refused('partner_not_found', { partner: command.partner })
    const id = newId<'staff'>()
    const waits = await takesTwoPeople(tx, role)
    const first = waits ? 'viewer' : role
    if (!(await insertStaff(tx, { id, email, name, role: first, partnerId: partner?.id ?? null })))
      return refused('email_taken')
    const after = { email, role: first, partner: partner?.code ?? null }
    await insertAuditEntry(tx, { actor, action: 'staff.add', subject: id, after })
    const invited = await invite(tx, (await lockStaff(tx, id))!)
    if (!waits) return invited
    const { request: waiting } = await askForRole(tx, invited.staff, role, command)
    return { ...invited, waiting }
  })
}

// One person must not become two by adding a second who may approve. The first admin has nobody to ask.
async function takesTwoPeople(tx: Tx, role: Role): Promise<boolean> {
  if (!isAllowed(role, 'approvals.decide')) return false
  const { mode } = await tx.selectFrom('installation').select('mode').executeTakeFirstOrThrow()
  return mode === 'live' && (await hasAdmin(tx))
}

async function invite(tx: Tx, staff: StaffMember): Promise<Invited> {
  const { token, hash } = newLink()
  return { kind: 'done', staff, link: token, expiresAt: await replaceLink(tx, staff.id, hash) }
}

export interface StaffActCommand {
  email: string
  actor: string
  reason: string | null
}

export type NoStaff = Refusal<'staff_not_found', { email: string }>

async function lockByEmail(tx: Tx, email: string): Promise<StaffMember | undefined> {
  const found = await findStaffByEmail(tx, email.trim().toLowerCase())
  return found && lockStaff(tx, found.id)
}

// For a lost device, or an account that another may have got hold of: nothing of before lets anyone in. The person
// chooses new ways in by the link.
export function resetStaff(database: Database, command: StaffActCommand): Promise<Invited | NoStaff> {
  return withOutcome(database, async (tx) => {
    const staff = await lockByEmail(tx, command.email)
    if (!staff) return refused('staff_not_found', { email: command.email })
    await clearCredentials(tx, staff.id)
    const passkeys = await deletePasskeys(tx, staff.id, OF_STAFF)
    const sessions = await endStaffSessions(tx, staff.id)
    await audit(tx, staff, command, 'staff.reset', { passkeys, sessions }, { passkeys: 0, sessions: 0 })
    return invite(tx, (await lockStaff(tx, staff.id))!)
  })
}

type StatusOutcome =
  | { kind: 'done'; staff: StaffMember; sessions: number }
  | NoStaff
  | Refusal<'already_suspended' | 'not_suspended' | 'own_account'>

// Their sessions end at once, and so does a link that was not used.
export function suspendStaff(database: Database, command: StaffActCommand): Promise<StatusOutcome> {
  return withOutcome(database, async (tx) => {
    const staff = await lockByEmail(tx, command.email)
    if (!staff) return refused('staff_not_found', { email: command.email })
    // One click would lock the last admin out of the console.
    if (command.actor === `staff:${staff.email}`) return refused('own_account')
    if (staff.status === 'suspended') return refused('already_suspended')
    await setStatus(tx, staff.id, 'suspended')
    await endLinks(tx, staff.id)
    const sessions = await endStaffSessions(tx, staff.id)
    await audit(
      tx,
      staff,
      command,
      'staff.suspend',
      { status: staff.status, sessions },
      { status: 'suspended', sessions: 0 },
    )
    return { kind: 'done', staff: (await lockStaff(tx, staff.id))!, sessions }
  })
}

export function resumeStaff(database: Database, command: StaffActCommand): Promise<StatusOutcome> {
  return withOutcome(database, async (tx) => {
    const staff = await lockByEmail(tx, command.email)
    if (!staff) return refused('staff_not_found', { email: command.email })
    if (staff.status === 'active') return refused('not_suspended')
    await setStatus(tx, staff.id, 'active')
    await audit(tx, staff, command, 'staff.resume', { status: staff.status }, { status: 'active' })
    return { kind: 'done', staff: (await lockStaff(tx, staff.id))!, sessions: 0 }
  })
}

export function endSessionsOf(database: Database, command: StaffActCommand): Promise<StatusOutcome> {
  return withOutcome(database, async (tx) => {
    const staff = await lockByEmail(tx, command.email)
    if (!staff) return refused('staff_not_found', { email: command.email })
    const sessions = await endStaffSessions(tx, staff.id)
    await audit(tx, staff, command, 'staff.end_sessions', { sessions }, { sessions: 0 })
    return { kind: 'done', staff, sessions }
  })
}

function audit(
  tx: Tx,
  { id, email }: StaffMember,
  { actor, reason }: StaffActCommand,
  action: string,
  before: AuditFacts,
  after: AuditFacts,
): Promise<void> {
  return insertAuditEntry(tx, { actor, action, subject: id, details: { email, reason }, before, after })
}
