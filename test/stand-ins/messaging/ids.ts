import { randomBytes } from 'node:crypto'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
let second = 0
let stamp = ''
let count = 0
const run = [...randomBytes(5)].map((byte) => LETTERS[byte & 31]).join('')

// As theirs look: the second it was made in, then letters and digits.
export function newProviderId(prefix: string, letters: number): string {
  const now = Math.floor(Date.now() / 1000)
  if (now !== second) {
    second = now
    stamp = new Date(now * 1000).toISOString().replace(/\D/g, '').slice(0, 14)
  }
  const number = (count++).toString(36).toUpperCase()
  return `${prefix}${stamp}${run.slice(0, letters - 6)}${number.padStart(letters - Math.min(5, letters - 6), '0')}`
}

// `#{NAME}` filled in; undefined unless the variables are exactly the template's.
export function fillTemplate(
  template: string,
  variables: Readonly<Record<string, string>>,
): string | undefined {
  const names = new Set(Array.from(template.matchAll(/#\{([^}]+)\}/g), (match) => match[1]!))
  const given = Object.keys(variables)
  if (given.length !== names.size || given.some((name) => !names.has(name))) return undefined
  return template.replace(/#\{([^}]+)\}/g, (_, name: string) => variables[name]!)
}
