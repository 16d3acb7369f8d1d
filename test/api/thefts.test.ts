import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import type { Tx } from '#base/db/db.ts'
import { verifyBooks } from '#flows/books/verify-books.ts'
import { voidCard } from '#flows/gift-cards/void-card.ts'
import { createPlaceOrder } from '#flows/trading/place-order.ts'
import { createQuoteOrder } from '#flows/trading/quote-order.ts'
import { keptPinHash } from '#modules/gift-cards/pin.ts'
import { testMetrics } from '#test/holders.ts'
import {
  decideChange,
  grantAssets,
  redeemForUser,
  requestAdjustment,
  requestPayment,
} from '#test/operator.ts'
import { SIGNUP, signupOf } from '#test/people.ts'
import { VOIDS_BY_ONE } from '#test/planted-approvals.ts'
import { OPERATORS_OWN } from '#test/planted-meanings.ts'
import { REFUSED_TRANSFERS, THEFTS } from '#test/planted-thefts.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { PHONE, startService } from '#test/service.ts'
import { seenBy } from '#test/transactions.ts'

// What somebody with the database's password could take or rewrite, and that verify names it.
const service = await startService()
const { database } = service
const keys = await openVaultKeeper(database, TEST_RING_STORE)
const partner = await service.addPartner({ keyFormat: 'custom', keyPattern: '[a-z]{1,20}' })
const { code } = partner.partner
for (const partnerKey of ['me', 'stranger']) {
  assert.equal((await partner.post(SIGNUP, { ...signupOf(code, partnerKey), partnerKey })).status, 200)
  const amounts = { KRW_POINT: 10_000n, KRW: 50_000n }
  await grantAssets(database, { partner: code, partnerKey, amounts, actor: 'test' })
}
const { rows: links } = await database.pool.query(
  `select member_id from partner_user where partner_key = 'me'`,
)
const holderId: string = links[0].member_id

for (const [i, amount] of [600, 700, 800].entries()) {
  const headers: Record<string, string> = i === 2 ? {} : { 'idempotency-key': `key ${i}` }
  assert.equal((await partner.buy({ phoneNumber: PHONE, amount }, headers)).status, 200)
}
const { rows: cards } = await database.pool.query('select id, pin, pin_index from gift_card order by amount')
const pin = keys.vault().open({ table: 'gift_card', column: 'pin', row: cards[0].id }, cards[0].pin)
await redeemForUser({ database, keys }, { partner: code, partnerKey: 'me', pin, actor: 'test' })
const deps = { database, metrics: testMetrics() }
for (const wish of [{ side: 'buy', won: 20_000n } as const, { side: 'sell', units: 10n } as const]) {
  const quoted = await createQuoteOrder(deps)({ holderId, metal: 'XAU', ...wish })
  assert.ok(quoted.kind === 'quoted')
  await createPlaceOrder(deps)({ quoteId: quoted.quote.id, holderId })
}

await service.addPartner()
const paid = await requestPayment(database, {
  code,
  reference: 'paid',
  won: 500n,
  prepay: false,
  actor: 'first',
  reason: 'test',
})
assert.ok(paid.kind === 'waiting')
const decision = { kinds: ['payment'], act: 'approve', actor: 'second', note: '' } as const
await decideChange(database, { id: paid.request.id, ...decision })

const why = { actor: 'first', reason: 'test' }
const adjusted = await requestAdjustment(database, { holderId, asset: 'KRW_POINT', amount: 100n, ...why })
await decideChange(database, { ...decision, id: adjusted.request.id, kinds: ['adjustment'] })
const { giftId } = (await partner.buy({ phoneNumber: PHONE, amount: 900 })).body.data
const voided = await voidCard(database, { card: { kind: 'uuid', uuid: giftId }, approvalFrom: 900n, ...why })
assert.ok(voided.kind === 'waiting')
await decideChange(database, { ...decision, id: voided.request.id, kinds: ['card_void'] })

class Undo extends Error {}
async function tryOut(work: (tx: Tx) => Promise<void>): Promise<void> {
  const attempt = database.withTransaction(async (tx) => {
    await work(tx)
    throw new Undo()
  })
  await assert.rejects(attempt, Undo)
}

async function brokenIn(tx: Tx, only?: string): Promise<string[]> {
  const results = await verifyBooks(seenBy(database, tx), keys.vault(), { only })
  return results.filter(({ broken }) => broken > 0).map(({ check }) => check)
}

test('as it is, nothing is broken', () => tryOut(async (tx) => assert.deepEqual(await brokenIn(tx), [])))

for (const [check, what, mistake] of THEFTS) {
  test(`verify finds: ${what}`, () =>
    tryOut(async (tx) => {
      await sql.raw(mistake).execute(tx)
      assert.deepEqual(await brokenIn(tx, check), [check])
    }))
}

// What two statements of one transaction write has two moments then.
const MOVED_CLOCK = `
  insert into change_request (id, kind, subject, payload, payload_hash, basis, maker, reason, created_at, expires_at, status,
                              checker, decided_at, executed_hash)
  select id, kind, 'XAU', payload, sha256(convert_to(payload, 'UTF8')), '{}', 'cli:me', 'x', service_now(),
         service_now() + interval '1 day', 'executed', 'cli:you', service_now(), sha256(convert_to(payload, 'UTF8'))
    from (values ('00000000-0000-7000-8000-000000000001'::uuid, 'price', '{"wonPerGram":"200000"}'),
                 ('00000000-0000-7000-8000-000000000002', 'terms', '{"spreadBps":0,"feeBps":0,"maxAgeSeconds":300}')
         ) as r (id, kind, payload);
  insert into audit_entry (actor, action, subject, details)
  select 'cli:me', kind || '.request', 'XAU', jsonb_build_object('request', id, 'after', payload::jsonb) from change_request
   where maker = 'cli:me'
  union all select 'cli:you', 'change.approve', id::text, '{}' from change_request where maker = 'cli:me';
  update installation set clock_offset = clock_offset + interval '1 hour';
  insert into metal_price (metal, at, won_per_gram, source, request_id)
    values ('XAU', service_now(), 200000, 'operator', '00000000-0000-7000-8000-000000000001');
  insert into trading_terms (metal, spread_bps, fee_bps, max_age_seconds, at, set_by, request_id)
    values ('XAU', 0, 0, 300, service_now(), 'cli:you', '00000000-0000-7000-8000-000000000002')`

test('a sandbox’s clock that is advanced while a request is carried out breaks nothing', () =>
  tryOut(async (tx) => {
    await sql.raw(MOVED_CLOCK).execute(tx)
    assert.deepEqual(await brokenIn(tx), [])
  }))

for (const act of VOIDS_BY_ONE) {
  test(`a void by an act of one person breaks nothing: ${act.match(/\{.*\}/)![0]}`, () =>
    tryOut(async (tx) => {
      await sql.raw(act).execute(tx)
      assert.deepEqual(await brokenIn(tx), [])
    }))
}

test('one PIN that redeems two cards, as its hash is moved and moved back, is found after each', () =>
  tryOut(async (tx) => {
    const [own, other] = cards.slice(1)
    const text = keys.vault().open({ table: 'gift_card', column: 'pin', row: own.id }, own.pin)
    const { current } = keys.vault().indexes('pin', text)
    const redeem = () =>
      sql`select from redeem_gift_cards(${keys.vault().epoch}, array[${current}::bytea], array[null::bytea],
            array[${holderId}::uuid], array[gen_random_uuid()], array[${keptPinHash(keys.vault(), text)}::bytea])`.execute(
        tx,
      )
    const setHash = (card: string, hash: Buffer) =>
      sql`update gift_card set pin_index = ${hash} where id = ${card}`.execute(tx)
    await setHash(own.id, Buffer.alloc(32, 1))
    await setHash(other.id, current)
    await redeem()
    await setHash(other.id, other.pin_index)
    await setHash(own.id, current)
    assert.deepEqual(await brokenIn(tx), ['sealed_pin_is_its_cards'])
    await redeem()
    assert.deepEqual(await brokenIn(tx), ['used_card_left_its_key'])
  }))

test('what an operator adds of its own breaks nothing', () =>
  tryOut(async (tx) => {
    await sql.raw(OPERATORS_OWN).execute(tx)
    assert.deepEqual(await brokenIn(tx), [])
  }))

// The same without switching anything off.
for (const [what, statement] of REFUSED_TRANSFERS) {
  test(`refused by the database: ${what}`, () =>
    assert.rejects(sql.raw(statement).execute(database.db), { code: '23514', constraint: 'transfer_joins' }))
}

const CARD = `where status = 'used'`
for (const change of [
  `set amount = amount + 1`,
  `set expires_on = expires_on + 1`,
  `set issued_on = issued_on - 1`,
  `set used_at = used_at + interval '1 second' ${CARD}`,
  `set used_at = null, used_by = null, status = 'issued', pin = '\\x00' ${CARD}`,
  `set tx_id = gen_random_uuid()`,
]) {
  test(`refused by the database: update gift_card ${change}`, () =>
    assert.rejects(sql.raw(`update gift_card ${change}`).execute(database.db), { code: '23001' }))
}
