import pg from 'pg'

// Statements of the benchmark's own, between measurements: connected only for as long as they take.
export async function withClient<Result>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ ...connection, application_name: 'ingot bench' })
  client.on('error', () => {}) // a lost connection fails the query that waits for it
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export function postgresVersion(connection: pg.ClientConfig): Promise<string> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    return rows[0]!.server_version
  })
}

// For a connection whose statements shall look things up in indexes, however small the tables are. Before version 18 a scan that is
// off costs so much that a server with JIT would compile each call of a function.
export async function probeIndexes(client: pg.Client): Promise<void> {
  await client.query('set jit = off')
  await client.query('set enable_seqscan = off')
}
