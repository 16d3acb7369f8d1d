import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditList } from '#app/commands/audit.ts'
import { partnerSet } from '#app/commands/partner.ts'
import { sealEntries } from '#flows/audit/seal-entries.ts'
import { recordAuditJudgement } from '#flows/audit/verify-audit.ts'
import { commandsOn } from '#test/direct-commands.ts'
import { startService } from '#test/service.ts'

// The audit log in the console: its chain, an entry, opening and erasing what a person typed.
const service = await startService()
const { database } = service
const { done, runtime } = await commandsOn(service)
const { partner } = await service.addPartner()
await done(partnerSet, partner.code, '--rate-limit', '9', '--reason', '김하나 called')
const [set] = (await done(auditList, '--action', 'partner.set')).entries
const admin = await service.consoleAs('admin')
const viewer = await service.consoleAs('viewer')
const path = `/audit/entries/${set.id}`

test('the chain: how far it is sealed, anchored and verified', async () => {
  const before = (await viewer.get('/audit/chain')).body
  assert.deepEqual([before.sealedTo, before.verified, before.anchors], [0, null, []])
  assert.ok(before.waiting > 0)
  await sealEntries({ database, keys: runtime.keys })
  await recordAuditJudgement(database, '3', { kind: 'entry_edited', position: '2', entry: '7' })
  const after = (await viewer.get('/audit/chain')).body
  assert.ok(after.sealedTo > 0 && after.waiting === 0)
  assert.deepEqual(after.verified.finding, {
    kind: 'entry_edited',
    position: '2',
    entry: '7',
    goodTo: null,
    at: null,
  })
})

test('an entry: who, when, what changed; what was typed stays sealed', async () => {
  const { status, body, text } = await viewer.get(path)
  assert.equal(status, 200, text)
  assert.deepEqual([body.actor, body.action, body.subject], ['cli:test', 'partner.set', partner.code])
  assert.deepEqual(body.changes, [{ name: 'rateLimit', before: '0', after: '9' }])
  assert.equal(body.private, 'sealed')
  assert.ok(body.position > 0)
  assert.doesNotMatch(text, /김하나/)
  assert.equal((await viewer.get('/audit/entries/999999999')).status, 404)
  assert.equal((await viewer.get('/audit/entries/x')).status, 400)
})

test('the list shows that there is a reason and not which', async () => {
  const { text, body } = await viewer.get('/lists/audit?action=partner.set')
  assert.equal(body.rows[0].cells.at(-1), '•••', text)
  assert.doesNotMatch(text, /김하나/)
})

test('opening takes a role and a reason, and is in the log first, with where from', async () => {
  assert.equal((await viewer.post(`${path}/reveal`, { reason: 'a call' })).status, 403)
  assert.equal((await admin.post(`${path}/reveal`, { reason: '  ' })).status, 400)
  const { body } = await admin.post(`${path}/reveal`, { reason: 'a dispute' })
  assert.deepEqual([body.state, body.reason], ['open', '김하나 called'])
  const [entry] = (await done(auditList, '--action', 'audit.reveal')).entries
  assert.deepEqual(entry.details, { entry: String(set.id), reason: 'a dispute' })
  assert.deepEqual([entry.actor, entry.subject], [`staff:${admin.staff.email}`, partner.code])
  assert.deepEqual(Object.keys(entry.from).sort(), ['address', 'by', 'session'])
  assert.match(entry.from.address, /127\.0\.0\.1|::1/)
})

test('erasing takes fresh proof, happens once, and leaves the entry', async () => {
  const stale = await service.consoleAs('admin', { fresh: false })
  assert.equal((await stale.post(`${path}/erase`, { reason: 'asked' })).body.code, 'proof_required')
  assert.equal((await viewer.post(`${path}/erase`, { reason: 'asked' })).status, 403)
  const finance = await service.consoleAs('finance')
  assert.deepEqual((await finance.post(`${path}/erase`, { reason: 'asked' })).body, { erased: true })
  assert.equal((await finance.post(`${path}/erase`, { reason: 'asked' })).status, 409)
  assert.equal((await finance.post('/audit/entries/999999999/erase', { reason: 'asked' })).status, 404)
  assert.equal((await viewer.get(path)).body.private, 'erased')
  assert.equal((await admin.post(`${path}/reveal`, { reason: 'a dispute' })).body.state, 'erased')
})
