import { sql } from 'kysely'
import type { Db, Tx } from '#base/db/db.ts'
import {
  type FirstPerson,
  isDeclaredSingle,
  refuseSecond,
  type SecondPerson,
} from '#modules/approvals/rules.ts'
import type { Person } from '#modules/approvals/types.ts'
import { findBoundStaff } from '#modules/staff/accounts.ts'
import { isAllowed, type Permission, type Role } from '#modules/staff/permissions.ts'

// The staff member who acts: signed in to the console, or bound to the machine's account (`operator bind`).
export async function findStaffOf(db: Db, { actor, staffId }: Person): Promise<string | null> {
  return staffId ?? (await findBoundStaff(db, actor)) ?? null
}

type Judged =
  | { kind: 'apart'; first: FirstPerson; second: SecondPerson; singlePerson: boolean }
  | { kind: 'refused'; reason: NonNullable<ReturnType<typeof refuseSecond>> }

// Whether this person may do the second of two acts, after `first` did the first. The lock on the staff member keeps the role
// as it is until the commit: a change of it that comes later finds the act done, and one that came earlier is seen.
export async function judgeSecond(
  tx: Tx,
  first: FirstPerson,
  person: Person,
  permission: Permission,
): Promise<Judged> {
  const second = await readSecond(tx, person, permission)
  // An account that was bound after it had asked is still that person's.
  const bound = first.staffId ?? (first.actor === null ? null : await findBoundStaff(tx, first.actor))
  const known = { ...first, staffId: bound ?? null }
  const refusal = refuseSecond(known, second)
  const singlePerson = isDeclaredSingle(refusal, { ...second, singlePerson: person.singlePerson })
  if (refusal && !singlePerson) return { kind: 'refused', reason: refusal }
  return { kind: 'apart', first: known, second, singlePerson }
}

async function readSecond(tx: Tx, person: Person, permission: Permission): Promise<SecondPerson> {
  const { mode } = await tx.selectFrom('installation').select('mode').executeTakeFirstOrThrow()
  const staffId = await findStaffOf(tx, person)
  const { rows } = await sql<{ role: Role; status: string }>`
    select role, status from staff where id = ${staffId} for share`.execute(tx)
  const [staff] = rows
  return {
    actor: person.actor,
    origin: person.origin ?? null,
    staffId,
    mayDecide: staff && staff.status === 'active' && isAllowed(staff.role, permission),
    isLive: mode === 'live',
  }
}

// What the first of two acts needs: in live somebody whom a later act can be held against.
export async function judgeFirst(
  tx: Tx,
  person: Person,
  permission: Permission,
): Promise<{ kind: 'apart'; staffId: string | null } | Extract<Judged, { kind: 'refused' }>> {
  const nobody = { actor: null, origin: null, staffId: null }
  const second = await readSecond(tx, person, permission)
  const refusal = refuseSecond(nobody, second)
  return refusal ? { kind: 'refused', reason: refusal } : { kind: 'apart', staffId: second.staffId }
}
