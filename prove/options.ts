import { parseArgs } from 'node:util'
import type { Proof } from './proof.ts'

export interface Options {
  name: string
  seed: number
  count: number
  duration: number
  leastActs: number
  // A commit, for a proof that takes one.
  from: string | undefined
  folder: string | undefined
  record: boolean
}

export class BadOption extends Error {}

export function readOptions(argv: readonly string[], proofs: Readonly<Record<string, Proof>>): Options {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        seed: { type: 'string', default: '1' },
        count: { type: 'string' },
        duration: { type: 'string' },
        acts: { type: 'string' },
        from: { type: 'string' },
        folder: { type: 'string' },
        record: { type: 'boolean', default: false },
      },
    })
    const [name = '', ...rest] = positionals
    const proof = Object.hasOwn(proofs, name) ? proofs[name] : undefined
    if (!proof || rest.length > 0)
      throw new Error(name === '' ? 'name a proof' : `no proof: ${positionals.join(' ')}`)
    for (const { option, text } of refusals({ [name]: proof }))
      if (values[option] !== undefined) throw new Error(text)
    return {
      name,
      seed: whole('--seed', values.seed, 0, 2 ** 31 - 1),
      count: whole('--count', values.count ?? String(proof.count), 1, 1_000_000),
      duration: whole('--duration', values.duration ?? '0', 0, 604_800),
      leastActs: whole('--acts', values.acts ?? '0', 0, 1_000_000_000),
      from: fromOf(name, proof, values.from),
      folder: values.folder,
      record: values.record,
    }
  } catch (error) {
    throw new BadOption(`${(error as Error).message}\n\n${usage(proofs)}`)
  }
}

function fromOf(name: string, proof: Proof, from: string | undefined): string | undefined {
  if (from !== undefined && !proof.takesFrom) throw new Error(`${name} takes no --from`)
  if (from === undefined && proof.takesFrom) throw new Error(`${name} needs --from REF`)
  return from
}

function whole(name: string, text: string, lowest: number, highest: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= lowest && value <= highest) return value
  throw new Error(`${name} takes a whole number from ${lowest} to ${highest}`)
}

// Which options proofs refuse, and why.
export function refusals(proofs: Readonly<Record<string, Proof>>) {
  return Object.entries(proofs).flatMap(([name, { refuses = {} }]) =>
    (['duration', 'acts'] as const).flatMap((option) => {
      const why = refuses[option]
      return why === undefined ? [] : [{ option, text: `${name} takes no --${option}: ${why}` }]
    }),
  )
}

// For --help, and after a mistake in the options.
export function usage(proofs: Readonly<Record<string, Proof>>): string {
  const list = Object.entries(proofs).map(([name, { what }]) => `  ${name.padEnd(22)}${what}\n`)
  const refused = refusals(proofs).map(({ text }) => `  ${text}\n`)
  return `usage: npm run prove -- NAME [--seed N] [--count N] [--duration SECONDS] [--acts N] [--from REF] [--folder DIR] [--record]

${list.join('')}
  --seed N              everything that is chosen by chance follows from it (1)
  --count N             faults to make at least
  --duration SECONDS    makes faults for at least so long, and until --count is reached
  --acts N              waits before each fault for its share of so many acknowledged acts (not failover and upgrade)
  --from REF            a commit, or a folder where a release is installed: the one that is upgraded
  --folder DIR          an empty folder for the client's record, which is kept
  --record              adds the result to docs/proof.json and writes docs/proof.md anew
  --help                prints this

${refused.join('')}`
}
