import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterTest } from './at-end.ts'
import { createTestDatabase, TEST_RING_FILE } from './postgres.ts'
import { temporaryFolder } from './process.ts'

export interface Place {
  // For commands on this database.
  settings: { DATABASE_URL: string; DATA_DIR: string; KEY_RING_FILE: string }
  url: string
  connection: pg.ClientConfig
  query(text: string, values?: unknown[]): Promise<pg.QueryResultRow[]>
}

// A database of the tests' server that commands move from or to. It goes with the file.
export async function makePlace(from: 'template' | 'empty'): Promise<Place> {
  const [folder, on] = [temporaryFolder(), await createTestDatabase(from)]
  const ring = join(folder.path, 'ring.json')
  const data = join(folder.path, 'data')
  mkdirSync(data)
  writeFileSync(ring, TEST_RING_FILE, { mode: 0o600 })
  const client = new pg.Client(on.connection)
  await client.connect()
  afterTest(async () => {
    await client.end()
    await on.drop()
    folder.remove()
  })
  return {
    settings: { DATABASE_URL: on.url, DATA_DIR: data, KEY_RING_FILE: ring },
    url: on.url,
    connection: on.connection,
    query: async (text, values) => (await client.query(text, values)).rows,
  }
}
