import type { PeerCertificate } from 'node:tls'
import { ALLOWED_CONNECTIONS, mostProcesses, poolSize } from '#app/processes/layout.ts'
import type { Config } from '#app/settings/config.ts'
import { type Host, isLocal, isShortName, nameOfHost, parseAddress } from '#base/db/address.ts'
import { readRow } from './server-checks.ts'
import { all, type Check, databaseCheck, ok, warning, wrong } from './types.ts'

// How this machine gets to the database.

interface ReachFacts {
  why: string | undefined
  isNew: boolean
  where: string
  isPooled: boolean
}

export const reach: Check<ReachFacts> = {
  name: 'database',
  needs: 'settings',
  read: ({ config, reached }) => ({
    why: 'why' in reached ? reached.why : undefined,
    isNew: 'isNew' in reached && reached.isNew,
    where: hostsOf(config).map(nameOfHost).join(', ') || `the embedded PostgreSQL of ${config.dataDir}`,
    isPooled: 'isPooled' in reached && reached.isPooled,
  }),
  judge({ why, isNew, where, isPooled }) {
    if (why !== undefined && isNew)
      return [
        warning(why, 'The first start makes one. If there should be one, set DATA_DIR or DATABASE_URL.'),
      ]
    if (why !== undefined) {
      return [
        wrong(
          why,
          'Check the address, that PostgreSQL runs there, and that this machine may reach it (pg_hba.conf, firewall).',
        ),
      ]
    }
    return [ok(`reached at ${where}${isPooled ? ', by way of a pooler that keeps sessions' : ''}`)]
  },
}

function hostsOf({ databaseUrl }: Config): Host[] {
  return databaseUrl === undefined ? [] : parseAddress(databaseUrl).hosts
}

const RENEW_DAYS = 21

interface TlsFacts {
  isEncrypted: boolean
  isLocal: boolean
  // Every host is here, or has a name without a dot.
  isNear: boolean
  // What of the certificate is checked.
  checks: 'name' | 'authority' | 'nothing'
  // Days until the server's certificate ends.
  daysLeft: number | undefined
}

export const tls = databaseCheck<TlsFacts>({
  name: 'tls',
  async read({ database }, { databaseUrl }) {
    const client = await database.pool.connect()
    try {
      const { stream } = (client as unknown as { connection: { stream: Stream } }).connection
      const address = databaseUrl === undefined ? undefined : parseAddress(databaseUrl)
      const options = address?.tls?.options()
      return {
        // Our side of it. Behind a pooler PostgreSQL would tell of the other.
        isEncrypted: stream.encrypted === true,
        isLocal: !address || address.hosts.every(isLocal),
        isNear: !address || address.hosts.every((host) => isLocal(host) || isShortName(host)),
        checks:
          !options || options.rejectUnauthorized === false
            ? 'nothing'
            : options.checkServerIdentity
              ? 'authority'
              : 'name',
        daysLeft: daysUntil(stream.getPeerCertificate?.().valid_to),
      }
    } finally {
      client.release()
    }
  },
  judge({ isEncrypted, isLocal: isHere, isNear, checks, daysLeft }, { mode }) {
    const found = [
      !isEncrypted &&
        !isHere &&
        isNear &&
        warning(
          'the connection to the database is not encrypted. Its host has a name without a dot, as on the container network of one machine',
          'There it may stay so. If the database is on another machine, add sslmode=verify-full&sslrootcert=FILE to DATABASE_URL.',
        ),
      !isEncrypted &&
        !isHere &&
        !isNear &&
        (mode === 'live' ? wrong : warning)(
          'the connection to the database is not encrypted, and it leaves this machine',
          'Add sslmode=verify-full&sslrootcert=FILE to DATABASE_URL (docs/database.md).',
        ),
      isEncrypted &&
        !isHere &&
        checks !== 'name' &&
        warning(
          checks === 'nothing'
            ? 'the connection is encrypted, but anyone in between could pose as the database'
            : 'the certificate is checked, but not that it is for this host',
          'Set sslmode=verify-full with sslrootcert in DATABASE_URL.',
        ),
      daysLeft !== undefined &&
        daysLeft < RENEW_DAYS &&
        warning(
          `the certificate of the database ends in ${daysLeft} days`,
          'Renew it and reload PostgreSQL.',
        ),
    ]
    return all(found, isEncrypted ? 'encrypted' : 'not encrypted, and does not leave this machine')
  },
})

interface Stream {
  encrypted?: boolean
  getPeerCertificate?(): Partial<PeerCertificate>
}

function daysUntil(end: string | undefined): number | undefined {
  const ms = end === undefined ? Number.NaN : Date.parse(end)
  return Number.isNaN(ms)
    ? undefined
    : Math.floor((ms - Temporal.Now.instant().epochMilliseconds) / 86_400_000)
}

interface ConnectionFacts {
  allowed: number
  used: number
}

export const connections = databaseCheck<ConnectionFacts>({
  name: 'connections',
  read: (reached) =>
    readRow(
      reached,
      'connections',
      `select ${ALLOWED_CONNECTIONS} as allowed,
              -- Every role may see this one. Of other roles' sessions pg_stat_activity does not tell the kind.
              (select sum(numbackends)::int from pg_stat_database) as used`,
    ),
  judge({ allowed, used }, config) {
    const needed = connectionsOf(config)
    const mend = 'Raise max_connections (or the limit of the role or database), or lower INGOT_PROCESSES.'
    const most = mostProcesses(allowed)
    return all(
      [
        needed > allowed &&
          (config.processes > most ? wrong : warning)(
            `this service may use ${needed} connections, and PostgreSQL allows ${allowed}` +
              (config.processes > most ? `: ${most} of ${config.processes} processes are started` : ''),
            mend,
          ),
        needed <= allowed &&
          used > allowed * 0.9 &&
          warning(
            `${used} of ${allowed} connections are in use`,
            `${mend} Several services on one database add up.`,
          ),
      ],
      `${used} of ${allowed} are in use; this service may use ${needed}`,
    )
  },
})

const WORKER = 18 // its jobs, and the library's own

// At most, with both roles of the settings.
function connectionsOf({ roles, processes, databaseUrl }: Config): number {
  const of = Math.max(1, processes)
  const api = roles.api ? poolSize({ kind: 'api', number: 1, of, first: true }) * of : 0
  const members = databaseUrl === undefined ? of + 1 : 0 // each process keeps one to the embedded server
  return api + (roles.worker ? WORKER : 0) + members
}
