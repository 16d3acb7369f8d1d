import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Command } from '#app/command.ts'
import { COMMANDS } from '#app/command-table.ts'
import { newId } from '#base/ids.ts'
import { createSealTransfers } from '#flows/books/seals/seal-transfers.ts'
import { createRequestWithdrawal } from '#flows/withdrawals/request-withdrawal.ts'
import { findEntry } from '#modules/audit/list.ts'
import { markSent } from '#test/deliveries.ts'
import { commandsOn, TEST_ORIGIN } from '#test/direct-commands.ts'
import { addAccount, addHolder, endWait, testMetrics } from '#test/holders.ts'
import { temporaryFolder } from '#test/process.ts'
import { PHONE, startService } from '#test/service.ts'

// Every command that changes something, or opens what is sealed, leaves an entry with who, from where, why, before and after.
// A new command is in one of the lists below, or this file fails.

// They change nothing that belongs to the installation.
const READS = `migrate|partner list|partner show|partner payments|partner contacts|partner pending|key list|card show|delivery retries|template list|
  user show|user find|price show|price orders|price pending|withdrawal list|withdrawal show|member show|approvals list|
  approvals show|operator list|books days|books show|books rows|books month|books months|audit list|audit show|audit verify|guard show|verify|
  restored report|books statement|books trial-balance|refund quote|refund policies|books inventory|
  books hedge|report list|report show|statement draft|statement show|statement list|backup key|backup list|backup verify`
// Not run here: they open the database by themselves, or need a world of their own.
// test/faults: rotate-keys, backup-drill, move and adopted-folder read their entries.
const ELSEWHERE = 'keys rotate|backup|backup stop|restore|move|adopt'
const names = (text: string) => text.split('|').map((name) => name.trim())

const service = await startService()
const { database } = service
const { run, runtime } = await commandsOn(service)
const folder = temporaryFolder()
runtime.config.dataDir = folder.path
const { partner, buy } = await service.addPartner({ creditLimit: 1_000_000n })
const holder = await addHolder(service, await service.addPartner(), 'holder', { KRW: 100_000n })
const REASON = 'why it was done'
const why = ['--reason', REASON]
const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows

interface Act {
  argv: string[] | (() => Promise<string[]>)
  // False: there is nothing that was one way and is another now.
  changes?: false
}

const bought = async () => (await buy({ phoneNumber: PHONE, amount: 1_000 })).body.data.giftId as string
const travel = (seconds: number) =>
  query('update installation set clock_offset = clock_offset + make_interval(secs => $1)', [seconds])
const failed = async () => {
  const id = await bought()
  await markSent(service, id, { status: 'failed' })
  await travel(120)
  return id
}
const sent = async () => {
  const id = await bought()
  await markSent(service, id)
  await travel(120)
  return id
}
const [link] = await query(
  `select u.partner_key as key, p.code, u.member_id from partner_user u join partner p on p.id = u.partner_id
    where u.id = $1 or u.member_id = $1 limit 1`,
  [holder.holderId],
)
const user = [link.code, link.key] as string[]
const keyId = async () =>
  (await query('select id from api_key where revoked_at is null order by created_at limit 1'))[0].id

const request = createRequestWithdrawal({ database, keys: runtime.keys, metrics: testMetrics() })
const accountId = await addAccount(service, holder.holderId)
async function withdrawal(): Promise<string> {
  const destination = { bank: '088', account: '110123456789', holder: '홍길동' }
  const { holderId } = holder
  const command = { holderId, accountId, requestId: newId(), amount: 1_000n, deviceLabel: '', destination }
  const outcome = await request(command)
  assert.ok(outcome.kind === 'requested', outcome.kind === 'refused' ? outcome.reason : outcome.kind)
  return outcome.withdrawal.id
}
const commandOf = async (name: string) => (await COMMANDS[name]!()) as Command
async function waiting(name: string, ...argv: string[]): Promise<string> {
  const { code, json, text } = await run(await commandOf(name), ...argv, ...why)
  assert.equal(code, 0, text)
  return json.id ?? json.request?.id ?? json.waiting?.id
}
const approved: string[] = []
const lastMonth = async () =>
  (await query(`select to_char(seoul_date(service_now()) - interval '1 month', 'YYYY-MM') as month`))[0].month

const ACTS: Record<string, Act> = {
  'partner add': { argv: ['newcomer', '--name', 'Newcomer'] },
  'partner set': { argv: [partner.code, '--rate-limit', '5', ...why] },
  'partner pay': { argv: [partner.code, '1000', '--reference', 'A', '--prepay', ...why, '--as', 'kim'] },
  'partner reverse-payment': { argv: [partner.code, 'A', ...why, '--as', 'kim'] },
  'partner approve': {
    argv: async () => [
      await waiting('partner pay', partner.code, '5', '--reference', 'B', '--prepay'),
      ...why,
      '--as',
      'kim',
    ],
  },
  'partner refuse': {
    argv: async () => [
      await waiting('partner pay', partner.code, '6', '--reference', 'C', '--prepay'),
      ...why,
    ],
  },
  'key issue': { argv: [partner.code, ...why] },
  'key rotate': { argv: async () => [await keyId(), ...why] },
  'key revoke': { argv: async () => [await keyId(), ...why] },
  'card find': { argv: ['--phone', PHONE], changes: false },
  'card resend': { argv: async () => [await sent(), ...why], changes: false },
  'card void': { argv: async () => [await bought(), ...why] },
  'template set': { argv: ['solapi', 'gift', 'ko', 'template-1'] },
  'user suspend': { argv: [...user, ...why] },
  'user resume': { argv: [...user, ...why] },
  'user grant': { argv: [...user, '--deposit', '5000'], changes: false },
  'user redeem': {
    argv: async () => {
      const id = await bought()
      const [{ pin }] = await query('select pin from gift_card where id = $1', [id])
      return [...user, runtime.keys.vault().open({ table: 'gift_card', column: 'pin', row: id }, pin)]
    },
  },
  'price terms': { argv: ['gold', '--fee-bps', '90', ...why] },
  'price stop': { argv: why },
  'price resume': { argv: why },
  'price set': { argv: ['gold', '200000', '--force', ...why, '--as', 'kim'] },
  'price approve': {
    argv: async () => [await waiting('price set', 'silver', '2000', '--force'), ...why, '--as', 'kim'],
  },
  'price refuse': { argv: async () => [await waiting('price set', 'silver', '2100', '--force'), ...why] },
  'withdrawal approve': {
    argv: async () => {
      approved.push(await withdrawal())
      return [approved[0]!, ...why]
    },
  },
  'withdrawal pay': {
    argv: async () => {
      await endWait(database, approved[0]!)
      return [approved[0]!, ...why, '--as', 'kim']
    },
  },
  'withdrawal refuse': { argv: async () => [await withdrawal(), ...why] },
  'member find': { argv: ['--phone', PHONE], changes: false },
  'member freeze': { argv: [link.member_id, ...why] },
  'member thaw': { argv: [link.member_id, ...why] },
  'member adjust': { argv: [link.member_id, 'points', '--add', '10', ...why, '--as', 'kim'] },
  'member end-sessions': { argv: [link.member_id, ...why] },
  'member distrust-devices': { argv: [link.member_id, ...why] },
  'member export': { argv: [link.member_id, ...why], changes: false },
  'member erase': {
    argv: async () => {
      const closed = await addHolder(service, await service.addPartner(), 'leaver', {})
      const id = await addAccount(service, closed.holderId)
      await query('update member_account set closed_at = service_now(), password = null where id = $1', [id])
      return [id, ...why]
    },
    changes: false,
  },
  'operator add': { argv: ['kim@ingot.test', '--role', 'finance'] },
  'operator role': { argv: ['kim@ingot.test', 'support', ...why, '--as', 'park'] },
  'operator bind': { argv: ['kim@ingot.test', '--account', 'kim'] },
  'operator unbind': { argv: ['--account', 'kim'] },
  'operator suspend': { argv: ['kim@ingot.test', ...why] },
  'operator resume': { argv: ['kim@ingot.test', ...why] },
  'operator reset': { argv: ['kim@ingot.test', ...why] },
  'audit erase': {
    argv: async () => [
      String((await query('select max(id) as id from audit_entry where private_id is not null'))[0].id),
      ...why,
    ],
    changes: false,
  },
  'audit anchor': {
    argv: async () => {
      const { sealEntries } = await import('#flows/audit/seal-entries.ts')
      await sealEntries({ database, keys: runtime.keys })
      return ['--begin', ...why]
    },
  },
  'delivery retry': {
    argv: async () => {
      const card = await failed()
      const [{ id }] = await query('select max(id) as id from delivery where card_id = $1', [card])
      return [id, ...why]
    },
    changes: false,
  },
  'delivery retry-many': {
    argv: async () => {
      await failed()
      return why
    },
    changes: false,
  },
  'delivery retry-stop': {
    argv: async () => [
      (await query(`select id from delivery_retry where status = 'running'`))[0].id as string,
      ...why,
    ],
    changes: false,
  },
  'approvals approve': {
    argv: async () => [await waiting('price set', 'silver', '2200', '--force'), ...why, '--as', 'kim'],
  },
  'approvals refuse': { argv: async () => [await waiting('price set', 'silver', '2300', '--force'), ...why] },
  'refund add-policy': {
    argv: async () => [
      'later',
      '--from',
      (await query(`select (seoul_date(service_now()) + 400)::text as day`))[0].day,
      ...why,
      '--as',
      'kim',
    ],
    changes: false,
  },
  'card extend': { argv: async () => [await bought(), ...why] },
  'refund do': {
    argv: async () => {
      const card = await bought()
      const [{ days }] = await query(
        'select expires_on - seoul_date(service_now()) + 1 as days from gift_card where id = $1',
        [card],
      )
      await travel(days * 86_400)
      const { expireCards } = await import('#flows/gift-cards/expire-cards.ts')
      await expireCards(database)
      const quote = await run(
        await commandOf('refund quote'),
        card,
        '--to',
        'points',
        '--member',
        link.member_id,
      )
      assert.equal(quote.code, 0, quote.text)
      return [quote.json.id ?? quote.json.quote, ...why, '--as', 'kim']
    },
    changes: false,
  },
  'books close': { argv: [], changes: false },
  'books bullion': {
    argv: 'buy --metal gold --grams 1 --won 200000 --reference INV-1 --as kim'.split(' ').concat(why),
  },
  'partner add-contact': {
    argv: `${partner.code} --name Kim --phone 010-5555-0101 --email kim@shop.example`.split(' ').concat(why),
  },
  'partner remove-contact': {
    argv: async () => [
      partner.code,
      (await query('select id from partner_contact where removed_at is null'))[0].id as string,
      ...why,
    ],
  },
  'partner billing': {
    argv: `${partner.code} --legal-name Acme --commission 150 --of issued --from 2000-01-01 --as kim`
      .split(' ')
      .concat(why),
  },
  'books safeguard': {
    argv: 'Hanbit --method trust --as-of 2026-01-05 --won 1 --reference T-1 --as kim'.split(' ').concat(why),
  },
  'report transactions': { argv: [holder.holderId, ...why], changes: false },
  'statement close': {
    argv: async () => [partner.code, '--month', await lastMonth(), '--leave-earlier'],
    changes: false,
  },
  'statement match': {
    argv: async () => {
      const file = join(folder.path, 'bank.csv')
      const [{ due }] = await query('select due + due_commission as due from partner_statement')
      await writeFile(file, `date,deposit,payer\n2026-01-01,${due},Acme\n`)
      return [file, '--request', '--as', 'kim']
    },
  },
  'statement send': {
    argv: async () => [`${partner.code}-${await lastMonth()}`, '--way', 'by mail'],
    changes: false,
  },
  'books close-month': {
    argv: async () => {
      await createSealTransfers(database, { most: 100_000, seconds: 0, rest: 0 })()
      assert.equal((await run(await commandOf('verify'))).code, 0)
      return [(await run(await commandOf('books month'))).json.next]
    },
    changes: false,
  },
  'clock advance': { argv: ['1s'] },
  restored: { argv: [], changes: false },
  'restored release': { argv: why },
}

test('every command is in one of the lists', () => {
  const known = [...names(READS), ...names(ELSEWHERE), ...Object.keys(ACTS)]
  assert.deepEqual(known.toSorted(), Object.keys(COMMANDS).toSorted())
})

for (const [name, { argv: given, changes }] of Object.entries(ACTS)) {
  test(`${name}: an entry with who, from where, why, before and after`, async () => {
    const command = await commandOf(name)
    const argv = typeof given === 'function' ? await given() : given
    const [{ last }] = await query('select coalesce(max(id), 0) as last from audit_entry')
    const { code, text } = await run(command, ...argv)
    assert.equal(code, 0, text)
    const rows = await query('select id from audit_entry where id > $1 order by id', [last])
    assert.ok(rows.length > 0, 'it left an entry')
    const entries = await Promise.all(
      rows.map(async ({ id }) => (await findEntry(database.db, BigInt(id), runtime.keys.vault()))!),
    )
    for (const entry of entries) {
      assert.match(entry.actor, /^cli:test/, entry.action)
      assert.ok(typeof entry.private === 'object' && entry.private !== null, entry.action)
      assert.deepEqual(entry.private.from, TEST_ORIGIN)
      assert.equal(typeof entry.details.reason === 'string', false, 'what was typed is not in plain')
    }
    const said = entries.flatMap(({ private: part }) =>
      typeof part === 'object' && part ? [part.reason, part.note] : [],
    )
    if (argv.includes(REASON)) assert.ok(said.includes(REASON), 'the reason')
    const changed = entries.filter(({ details }) => details.after !== undefined)
    if (changes !== false)
      assert.ok(changed.length > 0, `${entries.map(({ action }) => action)}: before and after`)
  })
}
