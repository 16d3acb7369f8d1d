import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskName } from './rules.ts'

const NAMES: [name: string, masked: string][] = [
  ['홍길동', '홍*동'],
  ['홍길', '홍*'],
  ['남궁민수', '남**수'],
  ['John Smith', 'J***h'],
  ['Li', 'L*'],
  ['홍길동'.normalize('NFD'), `${'홍'.normalize('NFD')}*${'동'.normalize('NFD')}`],
  ['김', '*'],
  ['', '*'],
]
for (const [name, masked] of NAMES) {
  test(`masked: ${name} → ${masked}`, () => assert.equal(maskName(name), masked))
}
