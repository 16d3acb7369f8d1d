import type { Database } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { openStaffSession, type StaffBrowser, type StaffOpened } from '#flows/staff/open-session.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { findStaffByEmail, insertStaff } from '#modules/staff/store.ts'
import type { StaffId } from '#modules/staff/types.ts'

// The demo operator of a sandbox. `.example` is nobody's mailbox.
const DEMO_EMAIL = 'demo@ingot.example'

// True if it was not there. It has no password and no passkey: only the demo sign-in opens it.
export function seedDemoStaff(database: Database, actor: string): Promise<boolean> {
  return database.withTransaction(async (tx) => {
    if (await findStaffByEmail(tx, DEMO_EMAIL)) return false
    const id = newId<'staff'>()
    const staff = {
      id,
      email: DEMO_EMAIL,
      name: '데모 운영자 Demo operator',
      role: 'admin',
      partnerId: null,
    } as const
    if (!(await insertStaff(tx, staff))) return false
    await insertAuditEntry(tx, { actor, action: 'staff.add', subject: id, details: { role: staff.role } })
    return true
  })
}

export interface DemoSignIn {
  // Whether there is a demo operator who may come in.
  isOffered(): Promise<boolean>
  signIn(browser: StaffBrowser): Promise<StaffOpened | undefined>
  isDemo(staffId: StaffId): Promise<boolean>
}

// Made in a sandbox only. The edge offers it to callers on this machine only.
export function createDemoSignIn(database: Database): DemoSignIn {
  const find = async () => {
    const staff = await findStaffByEmail(database.db, DEMO_EMAIL)
    return staff?.status === 'active' ? staff : undefined
  }
  return {
    isOffered: async () => (await find()) !== undefined,
    isDemo: async (staffId) => (await find())?.id === staffId,
    async signIn(browser) {
      const staff = await find()
      if (!staff) return undefined
      return database.withTransaction((tx) =>
        openStaffSession(tx, staff.id, browser, { how: 'demo', provenAt: 'now' }),
      )
    },
  }
}
