import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { createContinueSession } from '#flows/sessions/continue-session.ts'
import { newSessionId } from '#modules/sessions/rules.ts'
import { addMember, BEHIND_PROXY, Browser } from '#test/member.ts'
import { advanceClock } from '#test/operator.ts'
import { HASH, SIGNUP, signupOf } from '#test/people.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { startService } from '#test/service.ts'

// Those who ask at the same time are asked about together: each gets the answer they would get alone.
const service = await startService(BEHIND_PROXY)
const { database } = service
const keys = await openVaultKeeper(database, TEST_RING_STORE)
const continueSession = createContinueSession({ database, keys })
const sessionOf = (browser: Browser, name = 'ingot_member') => browser.cookies.get(name)!

const members = await Promise.all([1, 2, 3].map(() => addMember(service)))
const [one, two, three] = members.map(({ browser }) => sessionOf(browser)) as [string, string, string]
const partner = await service.addPartner()
const { code } = partner.partner
const { userKey } = (await partner.post(SIGNUP, signupOf(code, 'x'))).body
const framed = new Browser(service.url, '/webview/member')
await framed.enter((await partner.post(HASH, { partner: code, partnerKey: userKey })).body.hashKey)
const webView = sessionOf(framed, 'ingot_webview')
const nobody = newSessionId().id.reveal()

const ASKED: [kind: 'member' | 'web_view', cookies: string[], whose: string | null][] = [
  ['member', [one], one],
  ['member', [one], one],
  ['member', [one, two], null],
  ['member', [two, nobody], two],
  ['member', [nobody], null],
  ['member', [], null],
  ['member', ['not a token'], null],
  ['member', [webView], null],
  ['web_view', [webView], webView],
  ['web_view', [one], null],
  ['web_view', [one, webView], webView],
  ['member', [three], three],
]

test('each gets their own answer, whoever asks beside them', async () => {
  const alone = new Map<string, string>()
  for (const [kind, session] of [
    ['member', one],
    ['member', two],
    ['member', three],
    ['web_view', webView],
  ] as const) {
    const outcome = await continueSession(kind, [session])
    assert.ok(outcome.kind === 'continued')
    alone.set(session, outcome.visitor.sessionId)
  }
  assert.equal(new Set(alone.values()).size, 4)
  const together = await Promise.all(ASKED.map(([kind, cookies]) => continueSession(kind, cookies)))
  assert.deepEqual(
    together.map((outcome) => (outcome.kind === 'continued' ? outcome.visitor.sessionId : null)),
    ASKED.map(([, , whose]) => whose && alone.get(whose)),
  )
})

const seen = async () =>
  (await database.pool.query('select hash, seen_at from web_session order by hash')).rows.map((row) =>
    row.seen_at.toString(),
  )

test('seen is written once a minute, of a session that opens, and waits for nobody', async () => {
  const before = await seen()
  await Promise.all(ASKED.map(([kind, cookies]) => continueSession(kind, cookies)))
  assert.deepEqual(await seen(), before)
  await advanceClock(database, { seconds: 61, actor: 'test' })
  const holder = await database.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select from web_session where account_id is null for update')
    await Promise.all(ASKED.map(([kind, cookies]) => continueSession(kind, cookies)))
    const after = await seen()
    assert.equal(after.filter((at, i) => at !== before[i]).length, 3)
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  await continueSession('web_view', [webView])
  assert.equal((await seen()).filter((at, i) => at !== before[i]).length, 4)
})
