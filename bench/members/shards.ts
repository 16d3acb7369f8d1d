import type pg from 'pg'
import { assert } from '#base/assert.ts'
import { withClient } from '../sql.ts'

// Where the house's side of a movement is booked. As shipped, by the number of the connection's process.
const CHOOSERS = ['outstanding_account()', 'house_account(text, text)']
const AS_SHIPPED = '% 16)'

// Every connection of every process on the first shard, or as shipped again.
export class Shards {
  readonly #connection: pg.ClientConfig
  #shipped: string[] = []

  constructor(connection: pg.ClientConfig) {
    this.#connection = connection
  }

  use(kind: 'one' | 'all'): Promise<void> {
    return withClient(this.#connection, async (client) => {
      if (this.#shipped.length === 0) this.#shipped = await readFunctions(client)
      for (const shipped of this.#shipped) {
        await client.query(kind === 'all' ? shipped : shipped.replace(AS_SHIPPED, '% 1)'))
      }
    })
  }
}

async function readFunctions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    'select pg_get_functiondef(f::regprocedure) as text from unnest($1::text[]) f',
    [CHOOSERS],
  )
  for (const { text } of rows) assert(text.includes(AS_SHIPPED), 'house accounts have 16 shards')
  return rows.map(({ text }) => text)
}
