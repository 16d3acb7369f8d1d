import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from '#app/command.ts'
import { keyIssue, keyRevoke } from '#app/commands/api-key.ts'
import { clockAdvance } from '#app/commands/installation.ts'
import { memberEndSessions, memberFreeze, memberThaw } from '#app/commands/member.ts'
import { partnerAdd, partnerApprovals, partnerSet } from '#app/commands/partner.ts'
import { partnerPay, partnerReversePayment } from '#app/commands/payment.ts'
import { priceApprovals, priceSet, priceTerms } from '#app/commands/price.ts'
import { templateSet } from '#app/commands/template.ts'
import { userGrant, userRedeem, userResume, userShow } from '#app/commands/user.ts'
import { withdrawalApprove } from '#app/commands/withdrawal.ts'
import { newId } from '#base/ids.ts'
import { withOutcome } from '#flows/kit/outcome.ts'
import { commandsOn } from '#test/direct-commands.ts'
import { addHolder } from '#test/holders.ts'
import { PHONE, startService } from '#test/service.ts'
import { feedPrice } from '#test/trading.ts'

// An operator's command that is refused says why, and leaves the database as it was: also where the reason shows only after
// something was written.
const service = await startService()
const { database } = service
const { run, done } = await commandsOn(service)
const partner = await service.addPartner({ creditLimit: 10_000n })
const { code } = partner.partner
assert.equal((await partner.buy({ phoneNumber: PHONE, amount: 9_000 })).status, 200)
const { userKey, holderId } = await addHolder(service, partner, 'refusals')
await feedPrice(database, 'XAU', 200_000n)
const WHY = ['--reason', 'test']
const USER = [code, userKey]
const price = (await done(priceSet, 'gold', '201000', ...WHY)).id
const payment = (await done(partnerPay, code, '500', '--reference', 'waits')).id
await done(partnerPay, code, '1000', '--reference', 'paid', '--as', 'second')

const REFUSED: readonly [command: Command, argv: readonly string[], words: RegExp][] = [
  // Refused after a write.
  [partnerSet, [code, '--name', 'Other', '--credit-limit', '7999'], /owes ₩8,000 already/],
  [clockAdvance, ['30000d'], /cannot be set to 2100/],
  [userGrant, [...USER, '--points', '5', '--deposit', '1000000000001'], /^at most/],
  [memberThaw, [holderId, ...WHY], /is not frozen/],
  // Refused before one.
  [partnerAdd, [code, '--name', 'Again'], /is a partner .* already/],
  [partnerAdd, ['new', '--name', ''], /the name has 1 to 200/],
  [partnerSet, ['nobody', '--name', 'x'], /there is no partner nobody/],
  [keyIssue, [code, '--scope', 'all'], /^scopes are among/],
  [keyIssue, ['nobody'], /there is no partner nobody/],
  [keyRevoke, ['none'], /no such key/],
  [partnerPay, [code, '501', '--reference', 'waits'], /waits with another amount/],
  [partnerPay, [code, '8001', '--reference', 'more'], /say --prepay/],
  [partnerPay, ['nobody', '1', '--reference', 'x'], /there is no partner nobody/],
  [partnerReversePayment, [code, 'none', ...WHY], /no payment with the reference none/],
  [partnerReversePayment, [code, ' ', ...WHY], /a reference is one line/],
  [partnerApprovals.approve, [payment], /another person/],
  [partnerApprovals.approve, [price], /no such request/],
  [priceApprovals.approve, [newId(), '--as', 'second'], /no such request/],
  [priceSet, ['gold', '240000', ...WHY], /say --force/],
  [priceSet, ['gold', '0', ...WHY], /a price is between/],
  [priceTerms, ['gold', '--fee-bps', '5001', ...WHY], /the fee is between/],
  [templateSet, ['solapi', 'gift', 'ko', 'a b'], /a template id has/],
  [templateSet, ['solapi', 'gift', 'ko', 'T', '--partner', 'nobody'], /there is no partner nobody/],
  [userShow, [code, 'nobody', '--reveal', ...WHY], /has no user with that key/],
  [userResume, [...USER, ...WHY], /the user is active already/],
  [userGrant, USER, /nothing to grant/],
  [userRedeem, [...USER, '0000-0000-0000-0001'], /that is no PIN/],
  [userRedeem, [...USER, '0000-0000-0000-0000'], /no card with that PIN/],
  [memberFreeze, ['nobody', ...WHY], /no member with the id nobody/],
  [memberEndSessions, ['nobody', ...WHY], /no member with the id nobody/],
  [withdrawalApprove, [newId(), ...WHY], /no such withdrawal/],
]

// Processes announce themselves meanwhile. The use of a key and the requests made before are noted some seconds later. Everything
// else stands still.
async function snapshot(): Promise<Record<string, string>> {
  const { rows } = await database.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('public', 'graphile_worker') and tablename not in ('process', 'api_request') order by 1`,
  )
  const hashes = rows.map(async ({ name }) => {
    const { rows: found } = await database.pool.query(
      `select md5(coalesce(string_agg(r, E'\\n' order by r), '')) as hash from ${name} t, text(to_jsonb(t) - $1::text) r`,
      [name === 'public.api_key' ? 'last_used_at' : ''],
    )
    return [name, found[0].hash]
  })
  return Object.fromEntries(await Promise.all(hashes))
}

for (const [command, argv, words] of REFUSED) {
  const name = command.usage.split(' ').slice(0, 2).join(' ')
  test(`${name}: refused, ${words.source}, and nothing is written`, async () => {
    const before = await snapshot()
    const ran = await run(command, ...argv)
    assert.equal(ran.code, 1, ran.text)
    assert.match(ran.text, words)
    assert.deepEqual(await snapshot(), before)
  })
}

test('a second freeze is refused, and leaves the first', async () => {
  await done(memberFreeze, holderId, ...WHY)
  const before = await snapshot()
  assert.match((await run(memberFreeze, holderId, ...WHY)).text, /is frozen already/)
  assert.deepEqual(await snapshot(), before)
})

test('an outcome is committed, a refusal rolled back, an error thrown', async () => {
  const write = (kind: string) =>
    withOutcome(database, async (tx) => {
      await tx.updateTable('partner').set({ name: kind }).where('code', '=', code).execute()
      if (kind === 'broken') throw new Error('broken')
      return { kind }
    })
  const name = async () =>
    (await database.pool.query('select name from partner where code = $1', [code])).rows[0].name
  assert.deepEqual([await write('done'), await name()], [{ kind: 'done' }, 'done'])
  assert.deepEqual([await write('refused'), await name()], [{ kind: 'refused' }, 'done'])
  await assert.rejects(write('broken'), /broken/)
  assert.equal(await name(), 'done')
})
