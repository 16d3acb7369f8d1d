import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { RIGHTS_CHECKS } from '#flows/books/checks/rights.ts'
import { commandsOn } from '#test/direct-commands.ts'
import { decideChange, requestPayment } from '#test/operator.ts'
import { RIGHTS_THEFTS } from '#test/planted-rights.ts'
import { startService } from '#test/service.ts'

// Rights that somebody with the database's password gives away: no act wrote them, and the audit log tells.
const service = await startService()
const { database } = service
await commandsOn(service)
const { partner } = await service.addPartner({ creditLimit: 1_000_000n })
await service.consoleAs('viewer')
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
