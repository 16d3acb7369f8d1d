import type { PlantedCheck } from '../planted-case.ts'
import { checkWrites } from '../writes.ts'
import { STORE } from './store.ts'

export const WRITES: PlantedCheck = [
  'writes',
  checkWrites,
  [
    ['src/flows/a.ts', 'database.withTransaction(async (tx) => save(tx))', ''],
    [
      'src/edge/a.ts',
      'x()\ndeps.database.withTransaction(save)',
      /a\.ts:2 withTransaction: only flows and jobs/,
    ],
    ['src/edge/a.ts', 'const { writeOnce } = deps.database', /writeOnce/],
    ['src/edge/a.ts', 'const write = deps.database.openPipeline()', /openPipeline/],
    ['src/edge/a.ts', "deps.database.db.deleteFrom('card')", /the edge only reads/],
    ['src/edge/a.ts', "deps.database.pool.query('delete')", /no SQL/],
    ['src/modules/cards/store.ts', STORE, ''],
    ['src/modules/cards/store.ts', 'db.withTransaction(save)', /withTransaction/],
    ['src/modules/cards/store.ts', 'db.transaction().execute(save)', /transaction/],
    [
      'src/modules/cards/store.ts',
      'export const a = (db: Db) => db.writeOnce(A, [])',
      /a calls writeOnce, so/,
    ],
    [
      'src/modules/cards/pin.ts',
      'const a = (database: Database) => database.writeOnce(A, [])',
      /only flows and jobs/,
    ],
    [
      'src/modules/cards/store.ts',
      "function a(db: Db) {\n  db.insertInto('a')\n}",
      /a writes, so it takes a Tx/,
    ],
    [
      'src/base/a.ts',
      'export function a(table: string) {\n  return (db: Db) => sql`update a set b = 1`\n}',
      /a writes, so it takes a Tx/,
    ],
    [
      'src/modules/cards/store.ts',
      'function a(db: Db) {\n  sql`update a set b = 1`\n}',
      /a writes, so it takes a Tx/,
    ],
  ],
]
