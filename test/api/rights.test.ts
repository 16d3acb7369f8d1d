import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import { RIGHTS_CHECKS } from '#flows/books/checks/rights.ts'
import { createSealTransfers } from '#flows/books/seals/seal-transfers.ts'
import { changePartner } from '#flows/partners/change-partner.ts'
import { issueApiKey } from '#flows/partners/issue-api-key.ts'
import { revokeApiKey } from '#flows/partners/revoke-api-key.ts'
import { resumeStaff, suspendStaff } from '#flows/staff/manage-staff.ts'
import { openStaffSession } from '#flows/staff/open-session.ts'
import { createSignInByProvider } from '#flows/staff/sign-in-by-provider.ts'
import { createStaffSignOut } from '#flows/staff/sign-out.ts'
import type { StaffId } from '#modules/staff/types.ts'
import { commandsOn } from '#test/direct-commands.ts'
import { decideChange, requestPayment } from '#test/operator.ts'
import { RIGHTS_THEFTS } from '#test/planted-rights.ts'
import { startService } from '#test/service.ts'
import { addTestStaff } from '#test/staff.ts'

// Rights that somebody with the database's password gives away: no act wrote them, and the audit log tells.
const service = await startService()
const { database } = service
await commandsOn(service)
const revoked = await service.addPartner({ creditLimit: 1_000_000n })
const { partner } = revoked
const limited = { code: partner.code, mode: 'test', actor: 'test' } as const
await issueApiKey(database, {
  ...limited,
  networks: ['10.0.0.0/8', '192.0.2.1/32', '2001:DB8::/32'],
  expiresInDays: 1,
})
const changed = await changePartner(database, {
  code: partner.code,
  changes: {
    networks: ['192.0.2.1/32', '2001:DB8::/32'],
    frameAncestors: ['https://a.example', 'https://b.example'],
  },
  actor: 'test',
})
assert.equal(changed.kind, 'done')
for (const afterMinutes of [60, 0, 30])
  assert.equal(
    (await revokeApiKey(database, { id: revoked.keyId, afterMinutes, actor: 'test' })).kind,
    'done',
  )
await service.consoleAs('viewer')
const atOnce: WorkQueue = (_, work) => work()
const browser = (...sessions: string[]) => ({ sessions, deviceLabel: '', address: undefined })
const signIn = async (id: StaffId) => {
  const opened = await database.withTransaction((tx) =>
    openStaffSession(tx, id, browser(), { how: 'passkey', provenAt: 'now' }),
  )
  return opened!.session.reveal()
}
const { staff: finance } = await addTestStaff(service, 'finance')
await createStaffSignOut(database, atOnce)([await signIn(finance.id)])
const { staff: support } = await addTestStaff(service, 'support')
await signIn(support.id)
for (const act of [suspendStaff, resumeStaff])
  assert.equal((await act(database, { email: support.email, actor: 'test', reason: null })).kind, 'done')
const { staff: admin } = await addTestStaff(service, 'admin')
const person = {
  issuer: 'https://sign-on.example',
  subject: '관리자',
  email: admin.email,
  emailVerified: true,
}
const byProvider = createSignInByProvider(database, atOnce)
const first = await byProvider({ ...person, authenticatedAt: undefined }, browser())
const now = Temporal.Now.instant()
assert.ok(await byProvider({ ...person, authenticatedAt: now }, browser(first!.session.reveal())))
const paid = await requestPayment(database, {
  code: partner.code,
  reference: 'paid',
  won: 500n,
  prepay: true,
  actor: 'first',
  reason: 'test',
})
assert.ok(paid.kind === 'waiting')
const decision = { kinds: ['payment'], act: 'approve', actor: 'second', note: '' } as const
await decideChange(database, { id: paid.request.id, ...decision })
assert.equal(await createSealTransfers(database, { most: 10, seconds: 0, rest: 0 })(), 1)

async function brokenBy(mistake: string): Promise<string[]> {
  const broken: string[] = []
  class Undo extends Error {}
  const attempt = database.withTransaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql.raw(mistake).execute(tx)
    for (const [check, query] of Object.entries(RIGHTS_CHECKS)) {
      const { rows } = await sql.raw(query).execute(tx)
      if (rows.length > 0) broken.push(check)
    }
    throw new Undo()
  })
  await assert.rejects(attempt, Undo)
  return broken
}

for (const [check, what, mistake] of [[null, 'nothing', 'select 1'] as const, ...RIGHTS_THEFTS]) {
  test(`the audit log tells of: ${what}`, async () =>
    assert.deepEqual(await brokenBy(mistake), check === null ? [] : [check]))
}

// Without fingerprints, and proofs that name no session.
const BEFORE = `
  update audit_entry set details = details - 'fingerprint' - 'ended' where action in ('staff.sign_in', 'staff.sign_on_bind');
  insert into audit_entry (actor, action, subject, details)
  select 'staff:x', 'staff.prove', staff_id::text, '{"how": "code"}' from staff_session;
  update staff_session set hash = sha256(hash), proven_at = service_now() where ended_at is null`

test('sessions that the release before opened or proved are let pass, until they would have ended', async () => {
  assert.deepEqual(await brokenBy(BEFORE), [])
  assert.deepEqual(await brokenBy(`${BEFORE}; update staff_session set created_at = service_now()`), [
    'staff_came_in_by_an_act',
  ])
})

const BOUND_BEFORE = `update audit_entry set details = details - 'fingerprint' where action = 'staff.sign_on_bind'`

test('a single sign-on that the release before bound is compared with the sign-ins since', async () => {
  assert.deepEqual(await brokenBy(BOUND_BEFORE), [])
  assert.deepEqual(
    await brokenBy(`${BOUND_BEFORE}; update staff set oidc_subject = 'mine' where oidc_subject is not null`),
    ['staff_came_in_by_an_act'],
  )
})

// Opened by this one, and proven by the other.
const BESIDE = `
  insert into audit_entry (actor, action, subject, details)
  select 'staff:x', 'staff.prove', staff_id::text, '{"how": "code"}' from staff_session;
  update staff_session set hash = sha256(hash), proven_at = service_now() where ended_at is null`

test('a proof of the release before, which runs beside, is let pass', async () => {
  assert.deepEqual(await brokenBy(BESIDE), [])
})

// Its fields outside of after, and without a fingerprint.
const KEYS_BEFORE = `
  update audit_entry set details = details - 'after' || (details -> 'after') - 'fingerprint' where action in ('key.issue', 'key.revoke')`

test('a key that an earlier release issued is compared too', async () => {
  assert.deepEqual(await brokenBy(KEYS_BEFORE), [])
  for (const theft of [
    `update api_key set networks = '{0.0.0.0/0}' where cardinality(networks) > 0`,
    `update api_key set revoked_at = '2100-01-01' where revoked_at is not null`,
  ])
    assert.deepEqual(await brokenBy(`${KEYS_BEFORE}; ${theft}`), ['api_key_is_as_it_was_issued'])
})
