import assert from 'node:assert/strict'

// Logs and tables are full of random hexadecimal digits, ids and times, in which '4711' is found by chance once in a hundred
// runs. So a secret to look for is long enough, and one of a few digits only counts as a word of its own.
const SHORTEST = 6
const LONG_ENOUGH = 10

export function assertHides(text: string, secrets: Iterable<string>, where = 'the text'): void {
  for (const secret of secrets) assert.ok(!holds(text, secret), `${where} holds ${secret}`)
}

function holds(text: string, secret: string): boolean {
  if (!/^[0-9a-f]*$/i.test(secret) || secret.length >= LONG_ENOUGH) return text.includes(secret)
  assert.ok(secret.length >= SHORTEST, `${secret} is found by chance: choose a longer one`)
  return new RegExp(`(?<![\\w.])${secret}(?!\\w)`).test(text)
}
