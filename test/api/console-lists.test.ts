import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import type { ListName } from '#flows/lists/list-types.ts'
import type { Viewer } from '#flows/lists/open-reading.ts'
import { createLists, PAGE_SIZE } from '#flows/lists/read-lists.ts'
import { TEST_RING_STORE } from '#test/postgres.ts'
import { startService } from '#test/service.ts'
import { loadScale, settle } from '../../bench/scale/load.ts'

const CARDS = 1_200
const MEMBERS = 500
const OPERATOR: Viewer = { actor: 'test', partnerId: null }

const service = await startService()
const partners = [await service.addPartner(), await service.addPartner(), await service.addPartner()]
const partnerCodes = partners.map(({ partner }) => partner.code)
const load = { firstCard: 1, cards: CARDS, firstMember: 1, members: MEMBERS, passwordHash: '$argon2id$' }
await loadScale(service.on.connection, { ...load, partnerCodes }, () => {})
await settle(service.on.connection, () => {})
const keys = await openVaultKeeper(service.database, TEST_RING_STORE)
const lists = createLists({ database: service.database, keys })

// biome-ignore lint/suspicious/noExplicitAny: rows as the database has them
type Row = any

// Every page in turn, as the links of the page lead.
async function walk(list: ListName, asked: Record<string, string>, viewer = OPERATOR): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await lists.readPage(list, { ...asked, ...(cursor ? { cursor } : {}) }, viewer)
    assert.ok(page.kind === 'page')
    assert.ok(page.rows.length <= PAGE_SIZE)
    ids.push(...page.rows.map(({ id }) => id))
    cursor = page.next
  }
  return ids
}

const day = (moment: Temporal.Instant) => moment.toZonedDateTimeISO('Asia/Seoul').toPlainDate().toString()
const newest = (column: string) => (a: Row, b: Row) => compare(b[column], a[column]) || compare(b.id, a.id)
const oldest = (column: string) => (a: Row, b: Row) => newest(column)(b, a)

function compare(a: Row, b: Row): number {
  if (a instanceof Temporal.Instant) return Temporal.Instant.compare(a, b)
  return a < b ? -1 : a > b ? 1 : 0
}

interface Case {
  list: ListName
  table: string
  asked: Record<string, string>
  holds: (row: Row) => boolean
  order: (a: Row, b: Row) => number
}

async function cases(): Promise<Case[]> {
  const [first, , third] = partners.map(({ partner }) => partner)
  const { rows } = await service.database.pool.query('select * from gift_card order by issued_at')
  const middle = rows[rows.length >> 1]
  const [from, to] = [day(rows[200].issued_at), day(rows[700].issued_at)]
  const between = (moment: Temporal.Instant | null) =>
    moment !== null && day(moment) >= from && day(moment) <= to
  const cards = (asked: Case['asked'], holds: Case['holds'], order = newest('issued_at')): Case => ({
    list: 'cards',
    table: 'gift_card',
    asked,
    holds,
    order,
  })
  return [
    cards({}, () => true),
    cards({ sort: 'issued' }, () => true, oldest('issued_at')),
    cards({ partner: first!.code }, (c) => c.partner_id === first!.id),
    cards({ partner: third!.code.toUpperCase() }, (c) => c.partner_id === third!.id),
    cards({ status: 'used' }, (c) => c.status === 'used'),
    cards({ status: 'voided,expired' }, (c) => c.status === 'voided' || c.status === 'expired'),
    cards({ amount: String(middle.amount) }, (c) => c.amount === middle.amount),
    cards({ amount: '10000..50000' }, (c) => c.amount >= 10_000n && c.amount <= 50_000n),
    cards({ amount: '..30,000' }, (c) => c.amount <= 30_000n),
    cards({ issued: `${from}..${to}` }, (c) => between(c.issued_at)),
    cards({ issued: `${to}..` }, (c) => day(c.issued_at) >= to),
    cards({ issued: from }, (c) => day(c.issued_at) === from),
    cards({ expires: `..${middle.expires_on}` }, (c) => c.expires_on <= middle.expires_on),
    cards(
      { expires: `${middle.expires_on}..`, status: 'issued' },
      (c) => c.expires_on >= middle.expires_on && c.status === 'issued',
      oldest('expires_on'),
    ),
    cards(
      { status: 'issued', sort: '-expires', amount: '20000..' },
      (c) => c.status === 'issued' && c.amount >= 20_000n,
      newest('expires_on'),
    ),
    cards({ used: `${from}..${to}` }, (c) => between(c.used_at), newest('used_at')),
    cards(
      { status: 'used', sort: 'used', partner: first!.code },
      (c) => c.status === 'used' && c.partner_id === first!.id,
      oldest('used_at'),
    ),
    cards({ status: 'voided', voided: `${from}..` }, (c) => c.voided_at && day(c.voided_at) >= from),
    cards(
      { partner: first!.code, status: 'used', amount: '..50000', issued: `${from}..` },
      (c) =>
        c.partner_id === first!.id && c.status === 'used' && c.amount <= 50_000n && day(c.issued_at) >= from,
    ),
  ]
}

test('pages, figures and exports are what a plain filter over all rows gives', async () => {
  for (const { list, table, asked, holds, order } of await cases()) {
    const { rows } = await service.database.pool.query(`select * from ${table}`)
    const expected = rows
      .filter(holds)
      .sort(order)
      .map(({ id }) => String(id))
    const what = `${list} ${JSON.stringify(asked)}`
    assert.deepEqual(await walk(list, asked), expected, what)
    const figure = await lists.readFigure(list, asked, OPERATOR)
    const exact = await lists.readExactFigure(list, asked, OPERATOR)
    assert.ok(figure.kind === 'figure' && exact !== 'too_long' && exact.kind === 'figure')
    const sum = rows.filter(holds).reduce((won, { amount }) => won + amount, 0n)
    assert.deepEqual([figure.count, figure.sum, figure.isWhole], [expected.length, sum, true], what)
    assert.deepEqual([exact.count, exact.sum], [expected.length, sum], what)
  }
})
