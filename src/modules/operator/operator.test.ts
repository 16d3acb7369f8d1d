import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf, fill, isBusinessNumber, unknownPlaceholders, versionInForce } from './rules.ts'
import type { Operator } from './types.ts'

const NUMBERS: [text: string, fine: boolean][] = [
  ['220-81-62517', true],
  ['2208162517', true],
  ['123-45-67891', true],
  ['220-81-62518', false],
  ['220-81-6251', false],
  ['22-081-62517', false],
  ['220 81 62517', false],
  ['２２０-81-62517', false],
  ['220-81-62517 ', false],
]
for (const [text, fine] of NUMBERS) {
  test(`business number ${text}: ${fine}`, () => assert.equal(isBusinessNumber(text), fine))
}

test('the version in force is the newest that has begun', () => {
  const versions = ['2025-01-01', '2026-03-01', '2027-01-01'].map((version) => ({
    version,
    texts: { ko: '# x', en: undefined },
  }))
  for (const [today, expected] of [
    ['2024-12-31', '2025-01-01'],
    ['2025-01-01', '2025-01-01'],
    ['2026-02-28', '2025-01-01'],
    ['2026-03-01', '2026-03-01'],
    ['2030-01-01', '2027-01-01'],
  ] as const) {
    assert.equal(versionInForce(versions, today).version, expected, today)
  }
})

test('a text in parts, filled with what the operator is called', () => {
  const operator = { name: '{{email}} & Co', email: 'a@b.example' } as Operator
  assert.equal(fill('{{name}} {{financeNumber}}|{{email}}', operator), '{{email}} & Co |a@b.example')
  assert.deepEqual(unknownPlaceholders('{{name}} {{nmae}}', ['name']), ['nmae'])
  assert.deepEqual(blocksOf('# A\r\n\r\n## B\n\none\ntwo\n\n\n- x\n- y\n'), [
    { kind: 'title', text: 'A' },
    { kind: 'heading', text: 'B' },
    { kind: 'paragraph', text: 'one\ntwo' },
    { kind: 'list', items: ['x', 'y'] },
  ])
})
