import { setTimeout as sleep } from 'node:timers/promises'
import { watchCommittedRows } from '#base/db/committed-rows.ts'
import type { Reader } from '#base/db/db.ts'

const ASK_MS = 50
const PATIENCE_MS = 15_000 // no act takes so long; a forgotten session does

const PLACE = {
  name: 'read_close_place',
  text: `select seoul_date(service_now()) as today, coalesce((select max(id) from transfer), 0) as newest,
                (select seoul_date(at) from transfer order by id limit 1) as "firstDay"`,
}

export interface Place {
  today: string
  newest: bigint
  // Of the first transfer there is; null if there is none.
  firstDay: string | null
}

export async function readPlace(database: Reader): Promise<Place> {
  const [place] = await database.read<Place>(PLACE, [])
  return place!
}

// The last transfer up to which all are committed, not before `newest`. Undefined: a transaction that wrote one does not end.
export async function findPosition(database: Reader, newest: bigint): Promise<bigint | undefined> {
  const committedRows = watchCommittedRows(database, 'transfer')
  const began = performance.now()
  for (;;) {
    const committed = await committedRows()
    if (committed >= newest) return committed
    if (performance.now() - began > PATIENCE_MS) return undefined
    await sleep(ASK_MS)
  }
}
