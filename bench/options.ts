import { parseArgs } from 'node:util'

export const PARTS = ['requests', 'deliveries', 'members'] as const
export type Part = (typeof PARTS)[number]

export interface Options {
  parts: readonly Part[]
  // A database to measure instead of an embedded one.
  databaseUrl: string | undefined
  // Each measurement takes `rounds` times `roundSeconds`.
  rounds: number
  roundSeconds: number
  // Made up: few and many for usage, and those whose messages were sent before.
  cards: { few: number; many: number; sent: number }
}

const USAGE = `usage: npm run bench -- [--only PART] [--seconds N] [--quick] [--database-url URL]

  --only PART         ${PARTS.join(' or ')}
  --seconds N         seconds per measurement (6)
  --quick             one round of 1 s each and 100,000 cards instead of 1,000,000
  --database-url URL  an empty database to measure on, which is emptied again; without it an embedded one
`

export class BadOption extends Error {}

export function readOptions(argv: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        only: { type: 'string' },
        seconds: { type: 'string', default: '6' },
        quick: { type: 'boolean', default: false },
        'database-url': { type: 'string' },
      },
    })
    const parts = values.only === undefined ? PARTS : PARTS.filter((part) => part === values.only)
    if (parts.length === 0) throw new Error(`--only takes ${PARTS.join(' or ')}`)
    const seconds = Number(values.seconds)
    if (!(seconds >= 1 && seconds <= 600)) throw new Error('--seconds takes a number from 1 to 600')
    const databaseUrl = values['database-url']
    if (databaseUrl !== undefined && !/^postgres(?:ql)?:$/.test(URL.parse(databaseUrl)?.protocol ?? ''))
      throw new Error('--database-url takes a postgresql:// address')
    if (values.quick) {
      return {
        parts,
        databaseUrl,
        rounds: 1,
        roundSeconds: 1,
        cards: { few: 10_000, many: 100_000, sent: 20_000 },
      }
    }
    // An odd number of rounds has a middle one. pgbench counts whole seconds, and not fewer than one.
    return {
      parts,
      databaseUrl,
      rounds: 3,
      roundSeconds: Math.max(1, seconds / 3),
      cards: { few: 10_000, many: 1_000_000, sent: 100_000 },
    }
  } catch (error) {
    throw new BadOption(`${(error as Error).message}\n\n${USAGE}`)
  }
}
