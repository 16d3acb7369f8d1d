import type pg from 'pg'

// What every connection of the service asks of PostgreSQL, on any server.
const EVERY_CONNECTION = {
  // Plans without sequential scans look dear, and compiling one costs more than any of our statements takes.
  jit: 'off',
  // By default too. `verify` compares the texts of constraints, in which there are intervals.
  intervalstyle: 'postgres',
  // The server lets go of a client that is gone, and of what it has locked. Without meaning on a Unix socket.
  tcp_user_timeout: '15000',
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
}
const KEEP_ALIVE_MS = 5_000 // then a probe a second, ten times (the runtime's own figures)

// The database's address with these settings. Options in the address count too, and come last.
export function withSettings(
  connection: pg.ClientConfig,
  settings: Readonly<Record<string, string>> = {},
): pg.ClientConfig {
  const ours = Object.entries({ ...EVERY_CONNECTION, ...settings }).map(
    ([name, value]) => `-c ${name}=${value}`,
  )
  const { address, options } = splitOptions(connection.connectionString)
  return {
    ...connection,
    ...(address === undefined ? {} : { connectionString: address }),
    options: [...ours, ...(connection.options ? [connection.options] : []), ...options].join(' '),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  }
}

// The driver lets an address's options replace those it was given, so they are taken out of it.
function splitOptions(connectionString: string | undefined): { address?: string; options: string[] } {
  const url = connectionString === undefined ? null : URL.parse(connectionString)
  const options = url?.searchParams.getAll('options') ?? []
  if (!url || options.length === 0) return { options: [] }
  url.searchParams.delete('options')
  return { address: url.href, options }
}
