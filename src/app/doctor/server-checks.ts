import { missingGrants, type Rights, readRights } from '#app/database/rights.ts'
import { all, databaseCheck, ok, type Reached, warning, wrong } from './types.ts'

// What PostgreSQL itself is, and how it is set up.

export async function readRow<Row>({ database }: Reached, name: string, text: string): Promise<Row> {
  const [row] = await database.read({ name: `doctor_${name}`, text }, [])
  return row as Row
}

export const rights = databaseCheck<Rights>({
  name: 'rights',
  read: ({ database }) => readRights(database.pool),
  judge(found) {
    const { role, schema, closedTables } = found
    const grants = missingGrants(found)
    const closed = closedTables.length > 0
    return all(
      [
        closed &&
          wrong(
            `the account ${role} may not read and write ${closedTables.length} tables, such as ${closedTables.slice(0, 3).join(', ')}`,
            `As their owner run: grant select, insert, update, delete on all tables in schema ${schema}, graphile_worker to ` +
              `${role}; grant usage on all sequences in schema ${schema}, graphile_worker to ${role};`,
          ),
        grants.length > 0 &&
          warning(
            `the account ${role} cannot migrate to the next release`,
            `As the owner of the database run: ${grants.join(' ')} Or run \`migrate\` with the account that owns the tables.`,
          ),
      ],
      `the account ${role} has what it needs in schema ${schema}`,
    )
  },
})

interface DurabilityFacts {
  fsync: string
  fullPageWrites: string
  synchronousCommit: string
  checksums: string
  walLevel: string
  isEmbedded: boolean
}

export const durability = databaseCheck<DurabilityFacts>({
  name: 'durability',
  read: async (reached, { databaseUrl }) => ({
    ...(await readRow<Omit<DurabilityFacts, 'isEmbedded'>>(
      reached,
      'durability',
      `select current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPageWrites",
              current_setting('synchronous_commit') as "synchronousCommit",
              current_setting('data_checksums') as checksums, current_setting('wal_level') as "walLevel"`,
    )),
    isEmbedded: databaseUrl === undefined,
  }),
  judge: ({ fsync, fullPageWrites, synchronousCommit, checksums, walLevel }) =>
    all(
      [
        fsync !== 'on' &&
          wrong(
            'fsync is off: a power failure can destroy the database',
            'alter system set fsync = on; and reload.',
          ),
        fullPageWrites !== 'on' &&
          wrong(
            'full_page_writes is off: a power failure can destroy the database',
            'alter system set full_page_writes = on; and reload.',
          ),
        (synchronousCommit === 'off' || synchronousCommit === 'local') &&
          wrong(
            `synchronous_commit is ${synchronousCommit}: a purchase that was confirmed can be lost`,
            'Set it to on, for the server, the database and the account (alter role … reset synchronous_commit).',
          ),
        checksums !== 'on' &&
          warning(
            'there are no data checksums: a disk that errs is noticed late',
            'pg_checksums --enable, while it is stopped.',
          ),
        walLevel === 'minimal' &&
          warning(
            'wal_level is minimal: neither a standby nor a backup of the running server is possible',
            'Set wal_level = replica.',
          ),
      ],
      'what is confirmed is on disk, with checksums',
    ),
})

interface ReplicationFacts {
  isStandby: boolean
  isReadOnly: boolean
  names: string
  // Null: the account may not see them.
  standbys: { name: string; state: string; sync: string }[] | null
  // Of this role, at the moment.
  waiting: number
}

export const replication = databaseCheck<ReplicationFacts>({
  name: 'replication',
  read: (reached) =>
    readRow(
      reached,
      'replication',
      `select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly",
              current_setting('synchronous_standby_names') as names,
              case when pg_has_role('pg_read_all_stats', 'usage') then
                coalesce((select json_agg(json_build_object('name', application_name, 'state', state, 'sync', sync_state))
                            from pg_stat_replication), '[]') end as standbys,
              (select count(*)::int from pg_stat_activity
                where wait_event = 'SyncRep' and query_start < clock_timestamp() - interval '5 seconds') as waiting`,
    ),
  judge({ isStandby, isReadOnly, names, standbys, waiting }, { mode, databaseUrl }) {
    if (isStandby)
      return [
        wrong(
          'this server is a standby',
          'Give the address of the primary, or all hosts separated by commas.',
        ),
      ]
    const inSync = standbys?.filter(
      ({ state, sync }) => state === 'streaming' && (sync === 'sync' || sync === 'quorum'),
    )
    return all(
      [
        isReadOnly &&
          wrong(
            'the database is read-only',
            'alter database … reset default_transaction_read_only; or the same for the role.',
          ),
        names !== '' &&
          inSync?.length === 0 &&
          wrong(
            `synchronous_standby_names is ${names}, but no such standby is connected: every purchase waits for one`,
            'Start a standby, or look at the cluster (patronictl list).',
          ),
        waiting > 0 &&
          wrong(
            `${waiting} writes have waited for a standby for more than 5 s`,
            'No standby confirms them. Start one, or look at the cluster (patronictl list).',
          ),
        names === '' &&
          mode === 'live' &&
          warning(
            'no standby confirms what is written: with the disk, the last purchases are lost',
            databaseUrl === undefined
              ? 'Back up to another machine, or use a cluster with synchronous replication (docs/database.md).'
              : 'Use synchronous replication (synchronous_standby_names), as Patroni does with synchronous_mode_strict.',
          ),
      ],
      names === ''
        ? 'one server, no standby'
        : inSync
          ? `confirmed by ${inSync.map(({ name }) => name).join(', ')}`
          : `synchronous_standby_names is ${names}; who is connected, only members of pg_monitor may see`,
    )
  },
})

interface PlannerFacts {
  jit: string
  isolation: string
  autovacuum: string
  trackCounts: string
  idleSessionTimeout: string
}

export const planner = databaseCheck<PlannerFacts>({
  name: 'planner',
  read: (reached) =>
    readRow(
      reached,
      'planner',
      `select current_setting('jit') as jit, current_setting('default_transaction_isolation') as isolation,
              current_setting('autovacuum') as autovacuum, current_setting('track_counts') as "trackCounts",
              current_setting('idle_session_timeout') as "idleSessionTimeout"`,
    ),
  judge: ({ jit, isolation, autovacuum, trackCounts, idleSessionTimeout }) =>
    all(
      [
        jit !== 'off' &&
          warning(
            'JIT is on in our connections: a statement can take 100 ms longer',
            'Take -c jit=on out of DATABASE_URL.',
          ),
        isolation !== 'read committed' &&
          warning(
            `transactions are ${isolation} by default: some will be refused and tried again`,
            'alter database … reset default_transaction_isolation; the service locks rows itself.',
          ),
        (autovacuum !== 'on' || trackCounts !== 'on') &&
          wrong(
            'autovacuum is off: tables grow, and in the end PostgreSQL stops',
            'Set autovacuum = on and track_counts = on.',
          ),
        idleSessionTimeout !== '0' &&
          warning(
            `idle_session_timeout is ${idleSessionTimeout}: idle connections are closed, also the one that listens for jobs`,
            'alter role … set idle_session_timeout = 0;',
          ),
      ],
      'JIT is off in our connections, autovacuum is on',
    ),
})

interface ClockFacts {
  // The database's clock minus ours, and how well that is known.
  aheadMs: number
  withinMs: number
  zone: string
}

export const clock = databaseCheck<ClockFacts>({
  name: 'clock',
  async read(reached) {
    await readRow(reached, 'clock', CLOCK) // the first is slower, as it is prepared
    const before = Temporal.Now.instant().epochMilliseconds
    const { now, zone } = await readRow<{ now: string; zone: string }>(reached, 'clock', CLOCK)
    const after = Temporal.Now.instant().epochMilliseconds
    return {
      aheadMs: Math.round(Number(now) - (before + after) / 2),
      withinMs: Math.ceil((after - before) / 2),
      zone,
    }
  },
  judge({ aheadMs, withinMs, zone }) {
    const off = Math.abs(aheadMs) - withinMs
    const says = `the database's clock is ${Math.abs(aheadMs) / 1_000} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine's`
    const mend = 'Let both keep time by NTP: timedatectl set-ntp true, or chrony.'
    if (off > 30_000) return [wrong(says, mend)]
    if (off > 2_000) return [warning(says, mend)]
    return [
      ok(`the database's clock agrees with this machine's (time zone ${zone}; days are always Seoul's)`),
    ]
  },
})

const CLOCK = `select (extract(epoch from clock_timestamp()) * 1000)::text as now, current_setting('TimeZone') as zone`
