// A module's store with a read and three kinds of writes.
export const STORE = `import type { Database, Db, Tx } from '#base/db/db.ts'
export function findIt(db: Db) { return db }
export function saveIt(
  tx: Tx,
  what: string,
) { return [tx, what] }
export const writeIt = (database: Database) => database.writeOnce(IT, [])
export function createIt(database: Database) { return () => writeIt(database) }
`
