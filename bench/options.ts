import { parseArgs } from 'node:util'

// A run without --only takes these, in this order.
const WHOLE_RUN = ['requests', 'processes', 'deliveries', 'members'] as const
// And those that only --only names, or an option of their own.
const ON_REQUEST = ['scale', 'console', 'close', 'copies', 'profile'] as const
const PARTS = [...WHOLE_RUN, ...ON_REQUEST] as const
export type Part = (typeof PARTS)[number]

export interface Options {
  parts: readonly Part[]
  // A database to measure instead of an embedded one.
  databaseUrl: string | undefined
  // Each measurement takes `rounds` times `roundSeconds`.
  rounds: number
  roundSeconds: number
  // Before the first round: until V8 has compiled what is hot, and every connection has its plans.
  warmUpSeconds: number
  // Made up: few and many for usage, and those whose messages were sent before.
  cards: { few: number; many: number; sent: number }
  // How much `scale` and `copies` load.
  scale: { cards: number; members: number }
  // How much `console` loads.
  console: { cards: number; members: number }
  // How large the day is that `close` closes.
  close: { movements: number }
  // Where the figures go as JSON.
  json: string | undefined
}

const USAGE = `usage: npm run bench -- [--only PART] [--seconds N] [--quick] [--profile] [--json FILE] [--database-url URL]

  --only PART         ${PARTS.join(', ')}
  --seconds N         seconds per measurement (6)
  --quick             one round of 1 s each, with fewer cards
  --profile           a CPU profile of the API process under purchases, and a table of where its time goes
  --json FILE         writes every figure to FILE too
  --cards N           cards that the parts scale and copies (1,000,000) and console (2,000,000) load, movements that close closes (1,000,000)
  --members N         members that the parts scale and copies (200,000) and console (100,000) load
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
        profile: { type: 'boolean', default: false },
        json: { type: 'string' },
        cards: { type: 'string' },
        members: { type: 'string' },
        'database-url': { type: 'string' },
      },
    })
    const databaseUrl = values['database-url']
    if (databaseUrl !== undefined && !/^postgres(?:ql)?:$/.test(URL.parse(databaseUrl)?.protocol ?? ''))
      throw new Error('--database-url takes a postgresql:// address')
    const seconds = count('--seconds', values.seconds, 1, 600)
    return {
      parts: partsOf(values.profile ? 'profile' : values.only),
      databaseUrl,
      scale: loadOf(values, '1000000', '200000'),
      console: loadOf(values, '2000000', '100000'),
      close: { movements: loadOf(values, '1000000', '10000').cards },
      json: values.json,
      ...(values.quick ? QUICK : { ...WHOLE, roundSeconds: Math.max(1, seconds / WHOLE.rounds) }),
    }
  } catch (error) {
    throw new BadOption(`${(error as Error).message}\n\n${USAGE}`)
  }
}

function loadOf(
  { cards, members }: { cards?: string; members?: string },
  mostCards: string,
  mostMembers: string,
) {
  return {
    cards: count('--cards', cards ?? mostCards, 10_000, 100_000_000),
    members: count('--members', members ?? mostMembers, 10_000, 100_000_000),
  }
}

const QUICK = {
  rounds: 1,
  roundSeconds: 1,
  warmUpSeconds: 1,
  cards: { few: 10_000, many: 100_000, sent: 10_000 },
}
// An odd number of rounds has a middle one. pgbench counts whole seconds, and not fewer than one.
const WHOLE = { rounds: 3, warmUpSeconds: 2, cards: { few: 10_000, many: 300_000, sent: 50_000 } }

function partsOf(only: string | undefined): readonly Part[] {
  const parts = only === undefined ? WHOLE_RUN : PARTS.filter((part) => part === only)
  if (parts.length === 0) throw new Error(`--only takes one of ${PARTS.join(', ')}`)
  return parts
}

function count(name: string, text: string, lowest: number, highest: number): number {
  const value = Number(text)
  if (value >= lowest && value <= highest) return value
  throw new Error(`${name} takes a number from ${lowest} to ${highest}`)
}
