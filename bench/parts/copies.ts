import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { type Beside, besideGoal, measureBeside } from '../beside.ts'
import { verifyBooks } from '../books.ts'
import { Installation } from '../installation.ts'
import { startGenerator } from '../load/start.ts'
import type { Options } from '../options.ts'
import type { Outcome } from '../outcome.ts'
import { buying } from '../requests.ts'
import type { Measurement } from '../rounds.ts'
import { startFilling } from '../scale/fill.ts'
import { settle } from '../scale/load.ts'
import { withClient } from '../sql.ts'

const MEGABYTE = 1e6

// An installation with many cards is backed up while purchases go on, and then moved to another folder.
export async function benchmarkCopies(
  installation: Installation,
  { scale, rounds, databaseUrl }: Options,
  tell: (text: string) => void,
): Promise<Outcome> {
  const { connection, partners, fillTo } = await startFilling(
    installation,
    ['copy-1', 'copy-2', 'copy-3'],
    tell,
  )
  await fillTo(scale)
  await settle(connection, tell)
  const generator = startGenerator()
  const keys = partners.map(({ key }) => key)
  const purchases = buying('purchases', { port: installation.port, generator, keys }, { connections: 16 })
  // A database of one's own has tools of its own for that.
  const backups =
    databaseUrl === undefined ? await backUp(installation, purchases, { rounds, tell }) : undefined
  await generator.stop()
  const measured = backups?.beside.flatMap((one) => one.measured) ?? []
  const books = await verifyBooks(installation, measured)
  // Those that were loaded, and those that were bought meanwhile.
  const cards = await countCards(connection)
  const moved = await moveAway(installation, tell)
  return {
    ok: books.ok,
    measured,
    goals: [
      ...(backups
        ? [
            besideGoal(
              'a backup',
              backups.beside.map(({ ratio }) => ratio),
            ),
            { what: 'a backup beside purchases', values: backups.beside.map(rateOf), unit: 'MB/s' },
            { what: 'a backup on an idle machine', values: [rateOf(backups.alone)], unit: 'MB/s' },
          ]
        : []),
      {
        what: 'a move, verified, for 1,000,000 cards',
        values: [(moved.seconds * 1e6) / cards],
        unit: 's',
        target: { atMost: 300 },
      },
    ],
    notes: [
      `${cards.toLocaleString('en-US')} cards moved and verified in ${moved.seconds.toFixed(0)} s`,
      ...books.notes,
    ],
  }
}

// One full copy while nothing else runs, and then one after the other beside purchases.
async function backUp(
  installation: Installation,
  purchases: Measurement,
  { rounds, tell }: { rounds: number; tell: (text: string) => void },
): Promise<{ alone: Timed; beside: Beside[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'ingot-bench-backup-'))
  const key = join(folder, 'key')
  const place = ['--to', join(folder, 'copies'), '--key', key]
  try {
    await installation.command('backup', 'key', key)
    const make = () => installation.command('backup', ...place, '--once', '--json')
    const began = performance.now()
    const alone = { answer: await make(), seconds: (performance.now() - began) / 1000 }
    const beside: Beside[] = []
    for (let i = 0; i < rounds; i += 1) beside.push(await measureBeside('a backup', purchases, tell, make))
    return { alone, beside }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Timed = Pick<Beside, 'answer' | 'seconds'>

const rateOf = ({ answer, seconds }: Timed) =>
  (JSON.parse(answer) as { bytes: number }).bytes / MEGABYTE / seconds

const countCards = (connection: pg.ClientConfig): Promise<number> =>
  withClient(connection, async (client) => {
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from gift_card')
    return rows[0]!.count
  })

async function moveAway(
  installation: Installation,
  tell: (text: string) => void,
): Promise<{ seconds: number }> {
  const target = new Installation()
  tell('moving')
  await installation.stopServer()
  try {
    const began = performance.now()
    await installation.command('move', '--to', target.dataDir, '--json')
    return { seconds: (performance.now() - began) / 1000 }
  } finally {
    await target.remove()
  }
}
