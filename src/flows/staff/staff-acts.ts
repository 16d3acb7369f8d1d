import { sql } from 'kysely'
import type { Database } from '#base/db/db.ts'
import { requestRoleChange } from '#flows/staff/change-role.ts'
import { addStaff, endSessionsOf, resumeStaff, suspendStaff } from '#flows/staff/manage-staff.ts'
import { listBoundAccounts } from '#modules/staff/accounts.ts'
import type { StaffMember } from '#modules/staff/staff-member.ts'
import { listStaff } from '#modules/staff/store.ts'

type Way = 'passkey' | 'password' | 'single_sign_on'

interface ListedStaff extends StaffMember {
  signsInWith: Way[]
  accounts: string[]
  // Of their last session, for a day.
  seenAt: Temporal.Instant | null
}

type Rest<Flow> = Flow extends (database: Database, command: infer Command) => infer Outcome
  ? (command: Command) => Outcome
  : never

// What the console does with staff: the acts of the command line.
export interface StaffActs {
  list(): Promise<ListedStaff[]>
  find(id: string): Promise<ListedStaff | undefined>
  add: Rest<typeof addStaff>
  suspend: Rest<typeof suspendStaff>
  resume: Rest<typeof resumeStaff>
  endSessions: Rest<typeof endSessionsOf>
  requestRole: Rest<typeof requestRoleChange>
}

export function createStaffActs(database: Database): StaffActs {
  const list = () => listAll(database)
  return {
    list,
    find: async (id) => (await list()).find((one) => one.id === id.toLowerCase()),
    add: (command) => addStaff(database, command),
    suspend: (command) => suspendStaff(database, command),
    resume: (command) => resumeStaff(database, command),
    endSessions: (command) => endSessionsOf(database, command),
    requestRole: (command) => requestRoleChange(database, command),
  }
}

// Staff are few: some dozens.
async function listAll({ db }: Database): Promise<ListedStaff[]> {
  const staff = await listStaff(db)
  const accounts = await listBoundAccounts(db)
  const { rows } = await sql<{ staffId: string; seenAt: Temporal.Instant | null; passkeys: number }>`
    select s.id as "staffId", (select max(seen_at) from staff_session where staff_id = s.id) as "seenAt",
           (select count(*)::int from staff_passkey k where k.staff_id = s.id and k.blocked_at is null) as passkeys
      from staff s`.execute(db)
  const of = new Map(rows.map((row) => [row.staffId, row]))
  return staff.map((one) => ({
    ...one,
    signsInWith: [
      ...((of.get(one.id)?.passkeys ?? 0) > 0 ? (['passkey'] as const) : []),
      ...(one.password ? (['password'] as const) : []),
      ...(one.oidcSubject ? (['single_sign_on'] as const) : []),
    ],
    accounts: accounts.filter(({ staffId }) => staffId === one.id).map(({ account }) => account),
    seenAt: of.get(one.id)?.seenAt ?? null,
  }))
}
