import { parseArgs } from 'node:util'

export interface Options {
  // Each measurement takes `rounds` times `roundSeconds`.
  rounds: number
  roundSeconds: number
  cards: { few: number; many: number }
}

const USAGE = `usage: npm run bench -- [--seconds N] [--quick]

  --seconds N  seconds per measurement (6)
  --quick      one round of 1 s each and 100,000 cards instead of 2,000,000
`

export class BadOption extends Error {}

export function readOptions(argv: readonly string[]): Options {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { seconds: { type: 'string', default: '6' }, quick: { type: 'boolean', default: false } },
    })
    const seconds = Number(values.seconds)
    if (!(seconds >= 1 && seconds <= 600)) throw new Error('--seconds takes a number from 1 to 600')
    if (values.quick) return { rounds: 1, roundSeconds: 1, cards: { few: 10_000, many: 100_000 } }
    // An odd number of rounds has a middle one. pgbench counts whole seconds, and not fewer than one.
    return { rounds: 3, roundSeconds: Math.max(1, seconds / 3), cards: { few: 10_000, many: 2_000_000 } }
  } catch (error) {
    throw new BadOption(`${(error as Error).message}\n\n${USAGE}`)
  }
}
