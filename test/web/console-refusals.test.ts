import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CARDS } from '#flows/lists/list-cards.ts'
import { readList } from '#flows/lists/read-filters.ts'
import { detailText } from '../../web/console/shared/api/refusal-details.ts'

const WRONG: Record<string, string>[] = [
  { status: 'nonsense' },
  { amount: 'x' },
  { issued: 'x' },
  { partner: 'x' },
  { phone: 'x' },
  { nothing: 'x' },
  { sort: 'x' },
  { cursor: 'x' },
]

for (const asked of WRONG)
  test(`a wrong filter in the address is told in Korean: ${JSON.stringify(asked)}`, () => {
    const read = readList(CARDS, asked, () => undefined)
    assert.ok(read.kind === 'refused')
    const detail = `${read.field} ${read.should}`
    assert.doesNotMatch(detailText(detail, 'ko'), /must|needs/)
    assert.equal(detailText(detail, 'en'), detail)
  })
