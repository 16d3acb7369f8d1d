import pg from 'pg'

// Connected only for as long as the work takes.
export async function withClient<Result>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(config)
  client.on('error', () => {}) // a lost connection fails the query that waits for it
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
