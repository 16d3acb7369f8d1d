import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import * as commands from '#app/commands/staff.ts'
import { endTrust } from '#flows/restoration/end-trust.ts'
import { createContinueStaff } from '#flows/staff/continue-staff.ts'
import { createDemoSignIn, seedDemoStaff } from '#flows/staff/demo-staff.ts'
import { endSessionsOf } from '#flows/staff/manage-staff.ts'
import { openStaffSession, type StaffBrowser } from '#flows/staff/open-session.ts'
import { forgetOldLogins } from '#jobs/forget-old-logins.ts'
import { listAuditEntries } from '#modules/audit/store.ts'
import type { Role } from '#modules/staff/permissions.ts'
import { commandsOn } from '#test/direct-commands.ts'
import { advanceClock } from '#test/operator.ts'
import { TEST_VAULT } from '#test/postgres.ts'
import { startService } from '#test/service.ts'
import { addTestStaff } from '#test/staff.ts'

const service = await startService()
const { database } = service
const continueStaff = createContinueStaff(database, { singlePerson: true })
const { run, done } = await commandsOn(service)

const browser = (sessions: string[] = []): StaffBrowser => ({
  sessions,
  deviceLabel: 'Firefox · Linux',
  address: '192.0.2.7',
})

const signIn = async (staffId: Parameters<typeof openStaffSession>[1], from = browser()) => {
  const opened = await database.withTransaction((tx) =>
    openStaffSession(tx, staffId, from, { how: 'passkey', provenAt: 'now' }),
  )
  return opened!.session.reveal()
}

async function signedIn(role: Role = 'support') {
  const { staff } = await addTestStaff(service, role)
  return { staff, session: await signIn(staff.id) }
}

test('a session says who is there: role, tenant, and a proof that is fresh', async () => {
  const { staff, session } = await signedIn('finance')
  const found = await continueStaff([session])
  assert.deepEqual(
    { ...found, sessionId: undefined },
    {
      staffId: staff.id,
      actor: `staff:${staff.email}`,
      email: staff.email,
      name: staff.name,
      role: 'finance',
      partnerId: null,
      sessionId: undefined,
      fresh: true,
      singlePerson: true,
    },
  )
  const partner = await service.addPartner()
  const theirs = await addTestStaff(service, 'partner_viewer', { partner })
  const of = await continueStaff([await signIn(theirs.staff.id)])
  assert.deepEqual([of?.role, of?.partnerId], ['partner_viewer', partner.partner.id])
})

test('two cookies that are both alive open nothing; with an unknown or ended one beside it, the right one does', async () => {
  const one = (await signedIn()).session
  const two = (await signedIn()).session
  assert.equal(await continueStaff([one, two]), undefined)
  assert.ok(await continueStaff([one, 'x'.repeat(43), 'planted']))
  assert.equal(await continueStaff([]), undefined)
  assert.equal(await continueStaff(['x'.repeat(43)]), undefined)
})

test('signing in gives a new id and ends the sessions that the browser brought', async () => {
  const { staff, session } = await signedIn()
  const next = await signIn(staff.id, browser([session]))
  assert.notEqual(next, session)
  assert.equal(await continueStaff([session]), undefined)
  assert.ok(await continueStaff([next, session]))
})

test('suspended, reset, sent away or of a suspended partner: sessions end at once', async () => {
  const { staff, session } = await signedIn()
  await done(commands.operatorSuspend, staff.email, '--reason', 'left')
  assert.equal(await continueStaff([session]), undefined)
  const refused = await database.withTransaction((tx) =>
    openStaffSession(tx, staff.id, browser(), { how: 'passkey', provenAt: 'now' }),
  )
  assert.equal(refused, undefined, 'nobody comes in while suspended')
  await done(commands.operatorResume, staff.email)
  assert.equal(await continueStaff([session]), undefined, 'an ended session stays ended')
  const again = await signIn(staff.id)
  const { link } = await done(commands.operatorReset, staff.email)
  assert.match(link, /\/console\/welcome#[\w-]{43}$/)
  assert.equal(await continueStaff([again]), undefined)
  const third = await signIn(staff.id)
  const ended = await endSessionsOf(database, { email: staff.email, actor: 'cli:test', reason: null })
  assert.deepEqual([ended.kind, ended.kind === 'done' && ended.sessions], ['done', 1])
  assert.equal(await continueStaff([third]), undefined)
  const actions = (await listAuditEntries(database.db, TEST_VAULT, staff.id)).map(({ action }) => action)
  const acts = ['staff.add', 'staff.sign_in', 'staff.suspend', 'staff.resume', 'staff.sign_in', 'staff.reset']
  assert.deepEqual(actions, [...acts, 'staff.sign_in', 'staff.end_sessions'])

  const partner = await service.addPartner()
  const theirs = await addTestStaff(service, 'partner_manager', { partner })
  const of = await signIn(theirs.staff.id)
  assert.ok(await continueStaff([of]))
  await database.pool.query(`update partner set status = 'suspended' where id = $1`, [partner.partner.id])
  assert.equal(await continueStaff([of]), undefined)
  await database.pool.query(`update partner set status = 'active' where id = $1`, [partner.partner.id])
})

test('the command line adds, lists, binds and refuses', async () => {
  const email = 'Kim@Ingot.Test'
  const added = await done(commands.operatorAdd, email, '--role', 'admin', '--name', '김운영')
  assert.equal(added.email, 'kim@ingot.test')
  const refusals: [string[], RegExp][] = [
    [[email, '--role', 'viewer'], /there is a staff member with that email/],
    [['no-address', '--role', 'viewer'], /no email address/],
    [['a@b.test', '--role', 'partner_viewer'], /added with --partner/],
    [['a@b.test', '--role', 'viewer', '--partner', 'nobody'], /added without --partner/],
    [['a@b.test', '--role', 'partner_viewer', '--partner', 'nobody'], /nobody/],
    [['a@b.test', '--role', 'viewer', '--name', 'a\u0007b'], /1 to 100 characters/],
  ]
  for (const [argv, words] of refusals) {
    const { code, text } = await run(commands.operatorAdd, ...argv)
    assert.equal(code, 1, text)
    assert.match(text, words)
  }
  assert.equal((await run(commands.operatorAdd, 'a@b.test', '--role', 'owner')).code, 2)
  await done(commands.operatorBind, email, '--account', 'kim')
  assert.match(
    (await run(commands.operatorBind, email, '--account', 'kim')).text,
    /is bound to kim@ingot.test/,
  )
  const listed = (await done(commands.operatorList)) as { email: string; accounts: string[] }[]
  assert.deepEqual(listed.find((one) => one.email === 'kim@ingot.test')?.accounts, ['cli:kim'])
  assert.doesNotMatch(JSON.stringify(listed), /password|totp|hash/)
  await done(commands.operatorUnbind, '--account', 'kim')
  assert.match((await run(commands.operatorUnbind, '--account', 'kim')).text, /bound to nobody/)
  for (const command of [commands.operatorReset, commands.operatorSuspend, commands.operatorBind])
    assert.match((await run(command, 'nobody@ingot.test')).text, /no staff member/)
})

test('the database refuses a role of another tenant, and a password without a second factor', async () => {
  const { staff } = await addTestStaff(service, 'viewer')
  const partner = await service.addPartner()
  for (const [set, constraint] of [
    [`role = 'partner_viewer'`, 'staff_role_of_tenant'],
    [`partner_id = ${partner.partner.id}`, 'staff_role_of_tenant'],
    [`password = 'x'`, 'staff_password_with_totp'],
    [`oidc_subject = 'x'`, 'staff_oidc_whole'],
    [`email = 'Upper@ingot.test'`, 'staff_email_check'],
  ] as const) {
    const work = database.pool.query(`update staff set ${set} where id = $1`, [staff.id])
    await assert.rejects(work, { constraint }, set)
  }
})

test('the demo operator is made once, and stays suspended if the operator says so', async () => {
  const demo = createDemoSignIn(database)
  assert.equal(await demo.isOffered(), false)
  assert.equal(await demo.signIn(browser()), undefined)
  assert.deepEqual(
    [await seedDemoStaff(database, 'demo'), await seedDemoStaff(database, 'demo')],
    [true, false],
  )
  const opened = await demo.signIn(browser())
  const staff = await continueStaff([opened!.session.reveal()])
  assert.deepEqual([staff?.role, staff?.fresh], ['admin', true])
  await done(commands.operatorSuspend, staff!.email)
  assert.equal(await seedDemoStaff(database, 'demo'), false)
  assert.equal(await demo.isOffered(), false)
})

test('a restore to an earlier time ends sessions and links', async () => {
  const { session } = await signedIn()
  await database.withTransaction((tx) => endTrust(tx))
  assert.equal(await continueStaff([session]), undefined)
  const { rows } = await database.pool.query('select from staff_link where used_at is null')
  assert.equal(rows.length, 0)
})

test('a proof is fresh for ten minutes; a session lives for 30 idle minutes and eight hours; then the row goes', async () => {
  const { session } = await signedIn()
  const later = (minutes: number) => advanceClock(database, { seconds: minutes * 60, actor: 'test' })
  await later(11)
  assert.equal((await continueStaff([session]))?.fresh, false)
  const idle = (await signedIn()).session
  for (let minutes = 11; minutes < 480; minutes += 25) {
    assert.ok(await continueStaff([session]), `after ${minutes} minutes`)
    await later(25)
  }
  assert.equal(await continueStaff([session]), undefined, 'eight hours are over')
  assert.equal(await continueStaff([idle]), undefined, 'nothing was seen of it')
  await later(60 * 24 * 40)
  const { log } = (await commandsOn(service)).runtime
  await forgetOldLogins({ database, log })
  const { rows } = await sql<{ left: number }>`
    select (select count(*) from staff_session) + (select count(*) from staff_link) as left`.execute(
    database.db,
  )
  assert.equal(Number(rows[0]!.left), 0)
})
