import { type CommittedRows, watchCommittedRows } from '#base/db/committed-rows.ts'
import type { Database } from '#base/db/db.ts'
import { countMembers, countNext } from '#modules/figures/count.ts'
import { NUMBERED_SOURCES, type NumberedSource } from '#modules/figures/types.ts'

const CHUNK = 5_000 // a fifth of a second, so that a stop never waits for long

interface Counted {
  // Rows are left: more than a run may take, or of transactions that are not over.
  isBehind: boolean
}

export type CountFigures = (options?: { isStopping?: () => boolean }) => Promise<Counted>

interface Counting {
  chunk?: number
  // Each chunk waits for its turn. After hours without a worker there is much to count, and purchases need the machine.
  inTurn?: <Result>(work: () => Promise<Result>) => Promise<Result>
}

// Brings the figures by day up to what has happened. Each row of a source is counted once: the place where counting stopped is
// written with the figures, so a process that dies anywhere leaves both as they were before its chunk.
export function createCountFigures(
  database: Database,
  { chunk = CHUNK, inTurn = (work) => work() }: Counting = {},
): CountFigures {
  const committedRows = new Map<NumberedSource, CommittedRows>(
    NUMBERED_SOURCES.map((source) => [source, watchCommittedRows(database, source)]),
  )

  async function countSource(source: NumberedSource, isStopping: () => boolean): Promise<boolean> {
    const committed = await committedRows.get(source)!()
    while (!isStopping()) {
      const counted = await inTurn(() =>
        database.withTransaction((tx) => countNext(tx, source, { committed, limit: chunk })),
      )
      if (!counted || counted.isAll) return counted === undefined
    }
    return true
  }

  return async ({ isStopping = () => false } = {}) => {
    let isBehind = false
    for (const source of NUMBERED_SOURCES) isBehind = (await countSource(source, isStopping)) || isBehind
    await database.withTransaction((tx) => countMembers(tx))
    return { isBehind }
  }
}
