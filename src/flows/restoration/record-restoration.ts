import { sql } from 'kysely'
import type { Vault } from '#base/crypto/vault.ts'
import type { Database, Db, Tx } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { type Ended, endTrust } from '#flows/restoration/end-trust.ts'
import { skipNumbers } from '#flows/restoration/skip-numbers.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { insertListings } from '#modules/restorations/listings.ts'
import { signRestoration } from '#modules/restorations/rules.ts'
import { insertRestoration, lockRestorations, markSigned } from '#modules/restorations/store.ts'
import type { Restoration } from '#modules/restorations/types.ts'
import { expireQuotes } from '#modules/trading/store.ts'

interface RestorationCommand {
  // The time that the database was restored to; undefined: as far as it goes.
  to: Temporal.Instant | undefined
  actor: string
  // The caller has just restored the database itself. What an earlier restore recorded is about that one.
  anew?: boolean
  // Signs the record, so that it explains anchors of the audit log that the lost time made.
  signer?: Pick<Vault, 'fingerprint'>
}

export type RestorationOutcome =
  | { kind: 'recorded'; restoration: Restoration; ended: Ended }
  // This restore was recorded before, and nothing was done again.
  | { kind: 'known'; restoration: Restoration }
  | Refusal<'time_in_the_future', { now: Temporal.Instant }>

// Records in one transaction that the database was restored and that nothing after a moment is certain. Nothing that let a
// browser in opens any more, no number repeats, and messages from before wait until the providers were asked. To be called
// after the recovery and before the service opens. A call that was cut off is made again.
export function recordRestoration(
  database: Pick<Database, 'withLongTransaction'>,
  { to: asked, actor, anew = false, signer }: RestorationCommand,
): Promise<RestorationOutcome> {
  // As exactly as the database keeps it, so that the same time is known again.
  const to = asked?.round({ smallestUnit: 'microsecond', roundingMode: 'floor' })
  const long = { withTransaction: database.withLongTransaction }
  return withOutcome(long, async (tx): Promise<RestorationOutcome> => {
    const [newest] = await lockRestorations(tx)
    const { now, last } = await readMoments(tx)
    if (to && Temporal.Instant.compare(to, now) > 0) return refused('time_in_the_future', { now })
    const history = await readHistory(tx)
    if (newest && !anew && isSame(newest, to, last) && (await isKnown(tx, history, to))) {
      // A release before this one recorded it without a signature.
      await sign(tx, newest, signer)
      return { kind: 'known', restoration: newest }
    }
    // The database's own last moment counts if it is earlier: a time that was typed nine hours late would hide what was lost.
    const certainUntil = to && Temporal.Instant.compare(to, last) < 0 ? to : last
    const restoration = await insertRestoration(tx, {
      restoredTo: to ?? null,
      certainUntil,
      recordedBy: actor,
    })
    await sign(tx, restoration, signer)
    await skipNumbers(tx)
    const ended = await endTrust(tx)
    await expireQuotes(tx)
    await makeDue(tx)
    await insertListings(tx, restoration.id, await listOpenProviders(tx))
    await insertAuditEntry(tx, {
      actor,
      action: 'installation.restored',
      subject: 'installation',
      details: { certainUntil: certainUntil.toString(), history, ...ended },
    })
    await addExamination(tx, 0)
    return { kind: 'recorded', restoration, ended }
  })
}

async function sign(tx: Tx, restoration: Restoration, signer: RestorationCommand['signer']): Promise<void> {
  if (signer && restoration.signature === null)
    await markSigned(tx, restoration.id, signRestoration(signer, restoration))
}

// Told again: the same time is named, or none both times and nothing has happened in between.
function isSame(
  { restoredTo, recordedAt }: Restoration,
  to: Temporal.Instant | undefined,
  last: Temporal.Instant,
): boolean {
  if (to) return restoredTo?.equals(to) ?? false
  return restoredTo === null && Temporal.Instant.compare(last, recordedAt) <= 0
}

// Every restore of files begins another timeline, and a restore of a dump is in another cluster. Null where a hosted
// PostgreSQL does not say.
async function readHistory(tx: Tx): Promise<string | null> {
  await sql`savepoint history`.execute(tx)
  try {
    const { rows } = await sql<{ history: string }>`select concat_ws(' ', system_identifier,
      left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)) as history from pg_control_system()`.execute(tx)
    await sql`release savepoint history`.execute(tx)
    return rows[0]!.history
  } catch {
    await sql`rollback to savepoint history`.execute(tx)
    return null
  }
}

// Whether no other restore came after the one that was recorded last. Where the history is not known, only a time tells.
async function isKnown(tx: Tx, history: string | null, to: Temporal.Instant | undefined): Promise<boolean> {
  const { rows } = await sql<{ history: string | null }>`select details ->> 'history' as history
    from audit_entry where action = 'installation.restored' order by id desc limit 1`.execute(tx)
  const recorded = rows[0]?.history ?? null
  return recorded === null || history === null ? to !== undefined : recorded === history
}

interface MomentsRow {
  now: Temporal.Instant
  last: Temporal.Instant
}

// The present, and the last moment that the database knows of, both by the real clock. The newest rows have the highest ids.
async function readMoments(db: Db): Promise<MomentsRow> {
  const newest = (table: string) => sql`(select at from ${sql.table(table)} order by id desc limit 1)`
  const { rows } = await sql<MomentsRow>`select now() as now, least(now(), greatest(i.created_at,
      ${newest('transfer')} - i.clock_offset, ${newest('audit_entry')} - i.clock_offset,
      ${newest('delivery_event')} - i.clock_offset)) as last from installation i`.execute(db)
  return rows[0]!
}

// What was due in the lost time is due now. A message that was due a day ago would count as forgotten.
async function makeDue(tx: Tx): Promise<void> {
  for (const table of ['delivery', 'notice'])
    await sql`update ${sql.table(table)} set due_at = now() where settled_at is null and due_at < now()`.execute(
      tx,
    )
}

// Providers that have messages under way, whether or not they are still in the settings.
async function listOpenProviders(db: Db): Promise<string[]> {
  const { rows } = await sql<{ provider: string }>`
    select provider from delivery where settled_at is null and provider is not null
     union select provider from notice where settled_at is null and provider is not null`.execute(db)
  return rows.map(({ provider }) => provider)
}

// One job, however often it is asked for: the last call says when.
export async function addExamination(tx: Tx, inMs: number): Promise<void> {
  await sql`select graphile_worker.add_job('examine_restorations', job_key => 'examine_restorations',
    run_at => clock_timestamp() + make_interval(secs => ${inMs / 1000}))`.execute(tx)
}
