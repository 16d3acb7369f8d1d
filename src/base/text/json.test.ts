import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { repeatsProperty } from './json.ts'

const repeats = (text: string) => repeatsProperty(text, JSON.parse(text))

const CASES: [text: string, repeats: boolean][] = [
  ['{}', false],
  ['[]', false],
  ['"a:b"', false],
  ['null', false],
  ['1', false],
  ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}', false],
  ['{"a":":","b":"\\":","c\\\\":":\\\\"}', false],
  ['{"a":1,"A":2}', false],
  ['{"1":1,"01":2}', false],
  ['{"__proto__":1}', false],
  ['{"a":1,"a":1}', true],
  ['{"a":1,"b":2,"a":null}', true],
  ['{"a":1,"\\u0061":2}', true],
  ['{"é":1,"\\u00e9":2}', true],
  ['{"x":{"a":1,"a":2}}', true],
  ['[[{"a":1,"a":2}]]', true],
  ['{"a":{"b":1},"a":{"b":1}}', true],
  ['{"a":{"b":1},"a":2}', true],
  ['{"":1,"":2}', true],
  ['{"__proto__":1,"__proto__":2}', true],
  ['{"constructor":1,"constructor":{}}', true],
  ['{ "a" : 1 ,\n"a"\t: 1 }', true],
]
for (const [text, expected] of CASES) {
  test(`a member twice: ${text} ${expected}`, () => assert.equal(repeats(text), expected))
}

test('what we write ourselves repeats nothing; a member added in front of any object does', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
      const text = JSON.stringify(value)
      const [name] = Object.keys(JSON.parse(text))
      assert.equal(repeats(text), false)
      assert.equal(repeats(`{${JSON.stringify(name)}:0,${text.slice(1)}`), true)
    }),
  )
})

test('a text that nests deeper than calls can is read', () => {
  const depth = 100_000
  assert.equal(repeats(`${'['.repeat(depth)}{"a":1,"a":2}${']'.repeat(depth)}`), true)
})
