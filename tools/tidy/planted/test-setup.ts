import type { PlantedCheck } from '../planted-case.ts'
import { checkTestSetup } from '../test-setup.ts'

export const TEST_SETUP: PlantedCheck = [
  'test set-up',
  checkTestSetup,
  [
    ['test/api/a.test.ts', "const a = await b()\ntest('a', async () => {\n  await a()\n})", ''],
    ['test/api/a.test.ts', "test('a', () => {})\nconst b = await c()", /a\.test\.ts:2 awaited beside/],
    ['test/api/a.test.ts', 'for (const a of B) {\n  test(a, () => {})\n}\nawait c()', /a\.test\.ts:4/],
    ['test/api/a.test.ts', "test('a', () => {})\nassert.equal((await b()).kind, 1)", /:2 awaited/],
    ['test/api/a.test.ts', "test('a', () => {})\nconst b = async () => (await c()).body", ''],
    ['test/api/a.test.ts', "test('a', () => {})\ntest('b', async () => await c())", ''],
    ['test/api/a.test.ts', "test.after(() => a.remove())\nconst b = await c()\ntest('a', () => {})", ''],
    ['test/harness/a.ts', "test('a', () => {})\nconst b = await c()", ''],
  ],
]
