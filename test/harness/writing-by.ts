import type { Database } from '#base/db/db.ts'

type Write = Database['writeOnce']

// The same database. Each write that is one statement, in a pipeline or not, goes by way of this.
export function writingBy(database: Database, through: (write: Write) => Write): Database {
  return {
    ...database,
    writeOnce: through(database.writeOnce),
    openPipeline: () => ({ writeOnce: through(database.openPipeline().writeOnce) }),
  }
}
