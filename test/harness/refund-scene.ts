import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Database } from '#base/db/db.ts'
import { CARD_CHECKS } from '#flows/books/checks/cards.ts'
import { REFUND_CHECKS } from '#flows/books/checks/refunds.ts'
import { logIn, type TestMember, verify } from './member.ts'
import { advanceClock } from './operator.ts'
import { TEST_VAULT } from './postgres.ts'
import { PHONE, type TestPartner } from './service.ts'

export const offers = ({ browser }: TestMember, pin: string) => browser.post('/cards/refund-offers', { pin })
export const claim = ({ browser }: TestMember, quoteId: string) => browser.post('/cards/refunds', { quoteId })

export async function assets({ browser }: TestMember): Promise<{ points: number; deposit: number }> {
  const { points, deposit } = (await browser.get('/assets')).body
  return { points, deposit }
}

export const codeOf = (answer: { body: { code?: string }; text: string }) => answer.body.code ?? answer.text

// Cards that expire, and their members.
export function refundScene(database: Database, partner: TestPartner) {
  const one = async <Row>(text: string, ...values: unknown[]) =>
    (await database.pool.query(text, values)).rows[0] as Row
  return {
    one,
    // Sessions end on the way: those who are named come back.
    async travel(seconds: number, ...members: TestMember[]): Promise<void> {
      await advanceClock(database, { seconds, actor: 'test' })
      for (const { browser, loginId, person } of members) {
        assert.equal((await logIn(browser, loginId)).status, 200)
        await verify(browser, 'step_up', person)
      }
    },
    today: async () => (await one<{ day: string }>('select seoul_date(service_now())::text as day')).day,
    async balanceOf(kind: string, asset: string): Promise<number> {
      const text = 'select coalesce(sum(balance), 0) as sum from account where kind = $1 and asset = $2'
      return Number((await one<{ sum: string }>(text, kind, asset)).sum)
    },
    async buy(amount: number): Promise<{ giftId: string; pin: string }> {
      const { giftId } = (await partner.buy({ phoneNumber: PHONE, amount })).body.data
      const { pin } = await one<{ pin: Buffer }>('select pin from gift_card where id = $1', giftId)
      return { giftId, pin: TEST_VAULT.open({ table: 'gift_card', column: 'pin', row: giftId }, pin) }
    },
    async memberIdOf({ loginId }: TestMember): Promise<string> {
      const text = 'select member_id as id from member_account where login_id = $1'
      return (await one<{ id: string }>(text, loginId)).id
    },
  }
}

class Undo extends Error {}

// What verify finds of a mistake, which is taken back. Only the checks of cards and refunds: all would take long for each.
export async function brokenBy(database: Database, mistake: string): Promise<string[]> {
  const broken: string[] = []
  const attempt = database.withTransaction(async (tx) => {
    await sql.raw(mistake).execute(tx)
    for (const [check, query] of Object.entries({ ...REFUND_CHECKS, ...CARD_CHECKS })) {
      const { rows } = await sql.raw(`select 1 from (${query}) broken limit 1`).execute(tx)
      if (rows.length > 0) broken.push(check)
    }
    throw new Undo()
  })
  await assert.rejects(attempt, Undo)
  return broken
}
