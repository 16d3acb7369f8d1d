import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyIssue, keyRevoke } from '#app/commands/api-key.ts'
import { auditList } from '#app/commands/audit.ts'
import { cardResend } from '#app/commands/card.ts'
import { cardFind, cardShow } from '#app/commands/card-show.ts'
import { memberFind, memberShow } from '#app/commands/member.ts'
import { partnerSet } from '#app/commands/partner.ts'
import { partnerShow } from '#app/commands/partner-show.ts'
import { markSent } from '#test/deliveries.ts'
import { commandsOn } from '#test/direct-commands.ts'
import { assertHides } from '#test/hidden.ts'
import { giveDeposit } from '#test/holders.ts'
import { AGREED, addMember, Browser, newPerson, PASSWORD, userInfoOf, verify } from '#test/member.ts'
import { SIGNUP } from '#test/people.ts'
import { startService } from '#test/service.ts'

// A support person's questions, on a service with one member who was given a card and used it.
const service = await startService()
const { database } = service
const { run, done, runtime } = await commandsOn(service)
const partner = await service.addPartner({ name: '가온상점' })
const { code } = partner.partner
const person = newPerson({ name: '김 나래' })
const { mdn } = person
await partner.post(SIGNUP, { traceNo: 't', partner: code, userInfo: userInfoOf(person) })
const member = await addMember(service, person)
const bought = (await partner.buy({ phoneNumber: mdn, amount: 50_000 })).body.data
const pin = await pinOf(bought.giftId)

// As it stands in the message.
async function pinOf(id: string): Promise<string> {
  const { rows } = await database.pool.query('select pin from gift_card where id = $1', [id])
  const plain = runtime.keys.vault().open({ table: 'gift_card', column: 'pin', row: id }, rows[0].pin)
  return plain.match(/.{4}/g)!.join('-')
}

async function entries(action: string) {
  return (await done(auditList, '--action', action)).entries
}

test('a card is found by the number it went to and by its PIN, before it is used and after', async () => {
  const hyphened = `${mdn.slice(0, 3)}-${mdn.slice(3, 7)}-${mdn.slice(7)}`
  const [found, ...others] = await done(cardFind, '--phone', hyphened)
  assert.deepEqual([found.giftId, found.status, found.usedBy, others], [bought.giftId, 'issued', null, []])
  assert.equal((await done(cardShow, pin)).giftId, bought.giftId)
  const used = await member.browser.post('/cards/redeem', { pin })
  assert.equal(used.status, 200, used.text)
  const shown = await done(cardShow, '--pin', pin.toLowerCase().replaceAll('-', ''))
  const { id, memberId } = await done(memberShow, member.loginId)
  assert.deepEqual(
    [shown.status, shown.usedBy],
    ['used', { memberId, loginId: member.loginId, name: '김**래' }],
  )
  assert.ok(shown.usedAt && id && shown.messages.length === 2)
  assert.equal((await done(cardFind, '--phone', mdn))[0].usedBy.memberId, memberId)
  assert.match((await run(cardShow, pin)).text, new RegExp(`usedBy +김.*${member.loginId} +${memberId}`))
  assert.deepEqual(await done(cardFind, '--phone', '010-9999-0000'), [])
})

test('who joined by phone has an account: only the login id is missing', async () => {
  const browser = new Browser(service.url)
  const joined = newPerson({ name: '이새봄' })
  const verificationId = await verify(browser, 'sign_up', joined)
  assert.equal((await browser.post('/signup', { verificationId, agreed: AGREED })).status, 200)
  const other = await service.addPartner()
  const { giftId } = (await other.buy({ phoneNumber: joined.mdn, amount: 10_000 })).body.data
  assert.equal((await browser.post('/cards/redeem', { pin: await pinOf(giftId) })).status, 200)
  const [{ usedBy }] = await done(cardFind, '--phone', joined.mdn)
  const says = new RegExp(`이\\*봄 {2}– {2}${usedBy.memberId}`)
  assert.match((await run(cardShow, giftId)).text, says)
  assert.match((await run(cardFind, '--phone', joined.mdn)).text, says)
})

const SPELLINGS: [by: string, typed: string, found: boolean][] = [
  ['--phone', mdn, true],
  ['--phone', `+82 ${mdn.slice(1, 3)}-${mdn.slice(3, 7)}-${mdn.slice(7)}`, true],
  ['--phone', '010-9999-0000', false],
  ['--name', '김나래', true],
  ['--name', ' 김  나래 '.normalize('NFD'), true],
  ['--name', '김나', false],
]
for (const [by, typed, isFound] of SPELLINGS) {
  test(`member find ${by} ${JSON.stringify(typed)}`, async () => {
    const { members, complete } = await done(memberFind, by, typed)
    assert.deepEqual(
      members.map((one: { loginId: string; account: string; partners: string[] }) => [
        one.loginId,
        one.account,
        one.partners,
      ]),
      isFound ? [[member.loginId, 'open', [code]]] : [],
    )
    assert.ok(complete)
    assert.ok(!JSON.stringify(members).includes(mdn), 'masked')
  })
}

test('whoever changes the phone is found by the new one, and no longer by the old', async () => {
  const info = { ...userInfoOf(newPerson({ name: '박하늘' })), mdn: '01044440001' }
  const told = { traceNo: 't', partner: code, userInfo: info }
  assert.equal((await partner.post(SIGNUP, told)).status, 200)
  const [found] = (await done(memberFind, '--phone', '01044440001')).members
  assert.deepEqual([found.loginId, found.account, found.name], [null, 'none', '박*늘'])
  assert.equal((await done(memberShow, found.memberId)).status, 'no account')
  await partner.post(SIGNUP, { ...told, userInfo: { ...info, mdn: '01044440002' } })
  assert.deepEqual((await done(memberFind, '--phone', '01044440001')).members, [])
  assert.equal((await done(memberFind, '--phone', '01044440002')).members[0].memberId, found.memberId)
})

test('every search is in the audit log: who, by what, whom; never what was typed', async () => {
  const byPhone = await entries('member.find')
  const { memberId } = await done(memberShow, member.loginId)
  const one = byPhone.find((entry: { subject: string }) => entry.subject === memberId)
  assert.deepEqual([one.actor, one.details], ['cli:test', { by: 'name', found: 1 }])
  assert.ok(byPhone.some((entry: { subject: string }) => entry.subject === 'nobody'))
  const cards = await entries('card.find')
  assert.deepEqual(
    new Set(cards.map((e: { details: { by: string } }) => e.details.by)),
    new Set(['pin', 'phone']),
  )
  const { rows } = await database.pool.query('select details::text as text from audit_entry')
  const plain = pin.replaceAll('-', '')
  assertHides(rows.map(({ text }) => text).join('\n'), [mdn, mdn.slice(1), pin, plain, '나래'])
})

test('member show: holdings, orders, withdrawals, notices; by login id, member or account', async () => {
  await giveDeposit(service, member.loginId, 30_000n)
  const { body: quote } = await member.browser.post('/quotes', { side: 'buy', metal: 'gold', won: 20_000 })
  assert.equal((await member.browser.post('/orders', { quoteId: quote.quoteId })).status, 200)
  const asked = { requestId: crypto.randomUUID(), amount: 10_000, bank: '088', account: '110123456789' }
  assert.equal((await member.browser.post('/withdrawals', asked)).status, 200)
  const shown = await done(memberShow, member.loginId)
  assert.deepEqual(
    [shown.holdings[0].deposit, shown.orders[0].side, shown.withdrawals[0].status],
    [20_000, 'buy', 'requested'],
  )
  assert.equal(shown.holdings[0].points, 50_000 - shown.orders[0].total)
  assert.equal(shown.holdings[0].goldGrams, quote.grams)
  assert.equal(shown.withdrawals[0].account, '········6789')
  assert.ok(shown.notices.length > 0 && shown.devices === 1 && shown.sessions.length === 1)
  assert.deepEqual(shown.freezes, [])
  for (const id of [shown.id, shown.memberId])
    assert.equal((await done(memberShow, id)).loginId, member.loginId)
  const { text } = await run(memberShow, member.loginId)
  assert.match(text, /held by +points +deposit +gold g +silver g/)
  assert.ok(!text.includes(mdn) && !text.includes(PASSWORD))
  const whole = await done(memberShow, member.loginId, '--reveal', '--reason', 'asked by phone')
  assert.deepEqual([whole.mdn, whole.changes.at(-1).details], [mdn, { reason: 'asked by phone' }])
})

test('partner show: terms, credit, keys without secrets, the last days', async () => {
  const shown = await done(partnerShow, code)
  assert.deepEqual([shown.code, shown.status, shown.owed], [code, 'active', 50_000])
  assert.equal(shown.creditLeft, shown.creditLimit - 50_000)
  assert.deepEqual([shown.keys.length, shown.keys[0].id], [1, partner.keyId])
  assert.deepEqual(
    shown.usage.map(({ issued, used }: { issued: number; used: number }) => [issued, used]),
    [[50_000, 50_000]],
  )
  assert.ok(!JSON.stringify(shown).includes(partner.key.slice(20, 40)))
  assert.match((await run(partnerShow, code)).text, /owes ₩50,000 of .*left/)
})

test('a reason is recorded where it is given, and that none was given where not', async () => {
  await done(partnerSet, code, '--rate-limit', '100')
  await done(partnerSet, code, '--rate-limit', '0', '--reason', 'load test over')
  const { id } = await done(keyIssue, code, '--reason', 'new server')
  await done(keyRevoke, id)
  const [first, second] = await entries('partner.set')
  assert.deepEqual([first.details.reason, second.details.reason], ['load test over', null])
  assert.equal((await entries('key.issue'))[0].details.reason, 'new server')
  assert.equal((await entries('key.revoke'))[0].details.reason, null)
  const card = (await partner.buy({ phoneNumber: '01077770001', amount: 1_000 })).body.data.giftId
  await markSent(service, card)
  await database.pool.query(`update installation set clock_offset = clock_offset + interval '2 minutes'`)
  await done(cardResend, card, '--reason', 'lost the phone')
  assert.equal((await entries('card.resend'))[0].details.reason, 'lost the phone')
  assert.match((await run(auditList, '--action', 'key.revoke')).text, /none given/)
})

test('audit list: filters, and pages that continue where the last one ended', async () => {
  const { memberId } = await done(memberShow, member.loginId)
  const ids = (page: { entries: { id: number }[] }) => page.entries.map(({ id }) => id)
  const all = ids(await done(auditList, '--limit', '500'))
  assert.deepEqual(
    all,
    [...all].sort((a, b) => b - a),
    'newest first',
  )
  const seen: number[] = []
  for (let next: number | null = 0; next !== null; ) {
    const page = await done(auditList, '--limit', '7', ...(seen.length > 0 ? ['--before', String(next)] : []))
    seen.push(...ids(page))
    next = page.next
  }
  assert.deepEqual(seen, all)
  const ofMember = await done(auditList, '--member', member.loginId)
  const actions = ofMember.entries.map((entry: { action: string }) => entry.action)
  assert.ok(
    ['user.signup', 'member.signup', 'member.find', 'member.reveal'].every((one) => actions.includes(one)),
  )
  assert.deepEqual(ids(await done(auditList, '--about', memberId, '--action', 'member.signup')), [])
  const ofPartner = (await done(auditList, '--partner', code)).entries
  assert.deepEqual(
    new Set(ofPartner.map((entry: { action: string }) => entry.action.split('.')[0])),
    new Set(['partner', 'key']),
  )
  assert.equal((await done(auditList, '--actor', 'cli:test', '--since', '1h')).entries.length > 0, true)
  assert.deepEqual((await done(auditList, '--since', '2090-01-01')).entries, [])
  assert.deepEqual((await done(auditList, '--until', '2020-1-1')).entries, [])
})

test('a name that more than 50 people have: fifty are shown, and that there are more', async () => {
  const addPeople = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const userInfo = userInfoOf(newPerson({ name: '최많음' }))
        assert.equal((await partner.post(SIGNUP, { traceNo: 't', partner: code, userInfo })).status, 200)
      }),
    )
  await addPeople(50)
  const all = await done(memberFind, '--name', '최많음')
  assert.deepEqual([all.members.length, all.complete], [50, true])
  await addPeople(1)
  const { json, text } = await run(memberFind, '--name', '최많음')
  assert.deepEqual([json.members.length, json.complete], [50, false])
  assert.match(text, /more than 50: search by phone/i)
})

const WRONG: [command: typeof cardShow, args: string[], code: number, says: RegExp][] = [
  [cardShow, [], 2, /giftId, its txId/],
  [cardShow, [pin.replace(/.$/, (c) => (c === '0' ? '1' : '0'))], 2, /without a typo/],
  [cardShow, ['--pin', 'abc'], 2, /without a typo/],
  [cardFind, [], 2, /Korean mobile number/],
  [cardFind, ['--phone', '02-123-4567'], 2, /Korean mobile number/],
  [memberFind, [], 2, /--phone or --name/],
  [memberFind, ['--phone', '1', '--name', 'x'], 2, /not both/],
  [memberFind, ['--phone', '010'], 2, /whole number/],
  [memberShow, ['nobody'], 1, /no member/],
  [memberShow, [crypto.randomUUID()], 1, /no member/],
  [memberShow, [member.loginId, '--reveal'], 2, /--reason/],
  [partnerShow, ['nobody'], 1, /no partner nobody/],
  [partnerShow, [code, '--days', '0'], 2, /--days/],
  [auditList, ['--limit', '0'], 2, /--limit/],
  [auditList, ['--since', 'yesterday'], 2, /--since takes/],
  [auditList, ['--member', 'nobody'], 1, /no member/],
  [auditList, ['--member', 'a', '--partner', 'b'], 2, /one of/],
  [auditList, ['--colour', 'red'], 2, /colour/],
  [keyIssue, [code, '--reason', ''], 2, /--reason says why/],
]
for (const [command, args, exit, says] of WRONG) {
  test(`refused: ${command.usage.split('\n')[0]!.slice(0, 20)} ${args.join(' ').slice(0, 40)}`, async () => {
    const ran = await run(command, ...args)
    assert.deepEqual([ran.code, says.test(ran.text)], [exit, true], ran.text)
  })
}
