import { type Address, parseAddress, parseOptions } from './address.ts'
import type { BoundedConfig } from './client.ts'
import { PrimaryFinder } from './primary.ts'

// What every connection of the service asks of PostgreSQL, on any server.
const EVERY_CONNECTION = {
  // Plans without sequential scans look dear, and compiling one costs more than any of our statements takes.
  jit: 'off',
  // By default too. `verify` compares the texts of constraints, in which there are intervals.
  intervalstyle: 'postgres',
  // By default too. A commit that no standby confirmed is known by its warning, and a role could hide that.
  client_min_messages: 'notice',
  // The server lets go of a client that is gone, and of what it has locked. Without meaning on a Unix socket.
  tcp_user_timeout: '15000',
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
}
const NO_LIMITS = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  transaction_timeout: '0',
}
const KEEP_ALIVE_MS = 5_000 // then a probe a second, ten times (the runtime's own figures)

// The one way from an address to a connection, for every pool and every single client. With several hosts it finds the
// primary, and what it found is shared by all that are made from the same connection.
export function connectionTo(text: string): BoundedConfig {
  const address = parseAddress(text)
  const config = configOf(address)
  const { hosts } = address
  return hosts.length > 1 ? { ...config, primary: new PrimaryFinder(hosts, config) } : config
}

function configOf({ hosts, tls, writable, ...who }: Address): BoundedConfig {
  return { ...hosts[0]!, ...who, writable, ...(tls ? { tls } : {}) }
}

// A connection with these settings. Options of the address count too, and come last; what the connection was pinned to
// comes after them.
export function withSettings(
  connection: BoundedConfig,
  settings: Readonly<Record<string, string>> = {},
): BoundedConfig {
  const { connectionString, options, ...given } = connection
  const reached = connectionString === undefined ? given : { ...given, ...connectionTo(connectionString) }
  return {
    ...reached,
    session: { ...EVERY_CONNECTION, ...settings, ...parseOptions(options ?? ''), ...reached.session },
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  }
}

// For work that takes as long as the tables are large: migrations and moves. A role, a database or the address may have limits, which
// are meant for the statements of a service. So these settings come last.
export function withoutLimits(
  connection: BoundedConfig,
  settings: Readonly<Record<string, string>> = {},
): BoundedConfig {
  const config = withSettings(connection)
  return { ...config, session: { ...config.session, ...NO_LIMITS, ...settings } }
}
