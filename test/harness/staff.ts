import assert from 'node:assert/strict'
import type { Database } from '#base/db/db.ts'
import { addStaff } from '#flows/staff/manage-staff.ts'
import { openStaffSession } from '#flows/staff/open-session.ts'
import type { Role } from '#modules/staff/permissions.ts'
import type { StaffMember } from '#modules/staff/staff-member.ts'
import { Browser } from './http-browser.ts'
import { liveOrigins } from './http-calls.ts'

export interface StaffOptions {
  // What addPartner() gave: a partner's role needs one.
  partner?: { partner: { code: string } }
  email?: string
  // False: the last proof of identity is too old for what needs a fresh one.
  fresh?: boolean
}

// A browser of the console. Paths are below /console/api.
export class StaffBrowser extends Browser {
  readonly staff: StaffMember

  constructor(url: string, staff: StaffMember) {
    super(url, '/console/api')
    this.staff = staff
  }
}

interface ConsoleService {
  url: string
  database: Database
}

let people = 0

export async function addTestStaff(
  { database }: Pick<ConsoleService, 'database'>,
  role: Role,
  { partner, email }: StaffOptions = {},
) {
  people += 1
  const added = await addStaff(database, {
    email: email ?? `${role}-${process.pid}-${people}@ingot.test`,
    name: `${role} ${people}`,
    role,
    partner: partner?.partner.code,
    reason: null,
    actor: 'test',
  })
  assert(added.kind === 'done')
  return added
}

// A session by the flow that every sign-in ends with; how people prove who they are is tested by itself.
export async function signInStaff(
  service: ConsoleService,
  role: Role,
  options: StaffOptions = {},
): Promise<StaffBrowser> {
  const { staff } = await addTestStaff(service, role, options)
  const browser = new StaffBrowser(service.url, staff)
  await openConsole(service, browser, options)
  return browser
}

async function openConsole(
  { database, url }: ConsoleService,
  browser: StaffBrowser,
  { fresh = true }: StaffOptions,
): Promise<void> {
  const from = { sessions: [], deviceLabel: 'Chrome · Linux', address: '198.51.100.1' }
  const how = { how: 'passkey', provenAt: fresh ? 'now' : null } as const
  const opened = await database.withTransaction((tx) => openStaffSession(tx, browser.staff.id, from, how))
  assert(opened, 'the staff member is active')
  const isSecure = liveOrigins.get(url)?.startsWith('https:') ?? false
  browser.cookies.set(`${isSecure ? '__Host-' : ''}ingot_console`, opened.session.reveal())
}
