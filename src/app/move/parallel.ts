import type pg from 'pg'
import type { BoundedConfig } from '#base/db/client.ts'
import { openMover } from './state.ts'

// A connection to each side.
export interface Pair {
  source: pg.Client
  target: pg.Client
}

export async function openPairs(
  source: BoundedConfig,
  target: BoundedConfig,
  count: number,
): Promise<Pair[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const [from, to] = await Promise.all([openMover(source), openMover(target)])
      return { source: from, target: to }
    }),
  )
}

export async function closePairs(pairs: readonly Pair[]): Promise<void> {
  await Promise.all(pairs.flatMap(({ source, target }) => [source.end(), target.end()]).map(settled))
}

// Every piece once, several at a time. After a failure the others finish the piece that they are at.
export async function inParallel<Piece, Worker>(
  workers: readonly Worker[],
  pieces: readonly Piece[],
  work: (piece: Piece, worker: Worker) => Promise<void>,
): Promise<void> {
  const left = [...pieces].reverse()
  let failure: { error: unknown } | undefined
  await Promise.all(
    workers.map(async (worker) => {
      for (let piece = left.pop(); piece !== undefined && !failure; piece = left.pop()) {
        try {
          await work(piece, worker)
        } catch (error) {
          failure ??= { error }
        }
      }
    }),
  )
  if (failure) throw failure.error
}

const settled = (ending: Promise<unknown>) => ending.catch(() => {})
