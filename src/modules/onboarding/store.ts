import { sql } from 'kysely'
import { rekeySealed } from '#base/crypto/rekey.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Database, Tx } from '#base/db/db.ts'
import { deleteOld } from '#base/db/delete-old.ts'
import type { OnboardingContent, OnboardingRow } from './types.ts'

// Ten minutes from the last use, an hour in all: time to find the phone, not to leave a PIN behind on a shared computer.
const IDLE = '10 minutes'
const LONGEST = '1 hour'
const RENEWED = `least(service_now() + interval '${IDLE}', created_at + interval '${LONGEST}')`

const COLUMNS = sql`id, hash, expires_at as "expiresAt", content`

const placeOf = (row: string) => ({ table: 'onboarding', column: 'content', row })

export function openContent(vault: Vault, { id, content }: OnboardingRow): OnboardingContent {
  return JSON.parse(vault.open(placeOf(id), content)) as OnboardingContent
}

const USE = {
  name: 'use_onboarding',
  text: `update onboarding set expires_at = ${RENEWED}
          where hash = any($1::bytea[]) and expires_at > service_now()
      returning id, hash, expires_at as "expiresAt", content`,
}

// Reading it is a use. Two that are both alive mean that one was planted: then neither counts.
export async function useOnboarding(
  database: Database,
  hashes: readonly Buffer[],
): Promise<OnboardingRow | undefined> {
  const rows = await database.writeOnce<OnboardingRow>(USE, [hashes])
  return rows.length === 1 ? rows[0] : undefined
}

export async function lockOnboarding(tx: Tx, hashes: readonly Buffer[]): Promise<OnboardingRow | undefined> {
  const { rows } = await sql<OnboardingRow>`select ${COLUMNS} from onboarding
    where hash = any(${hashes}::bytea[]) and expires_at > service_now() order by id for update`.execute(tx)
  return rows.length === 1 ? rows[0] : undefined
}

// By the id before the last change: for a caller who never got the answer with the new one.
export async function lockSuperseded(tx: Tx, hashes: readonly Buffer[]): Promise<OnboardingRow | undefined> {
  const { rows } = await sql<OnboardingRow>`
    select id, previous_hash as hash, expires_at as "expiresAt", content from onboarding
     where previous_hash = any(${hashes}::bytea[]) and expires_at > service_now() order by id for update`.execute(
    tx,
  )
  return rows.length === 1 ? rows[0] : undefined
}

export async function insertOnboarding(
  tx: Tx,
  vault: Vault,
  row: { id: string; hash: Buffer; content: OnboardingContent },
): Promise<Temporal.Instant> {
  const content = vault.seal(placeOf(row.id), JSON.stringify(row.content))
  const { rows } = await sql<{ expiresAt: Temporal.Instant }>`
    insert into onboarding (id, hash, created_at, expires_at, content)
    values (${row.id}, ${row.hash}, service_now(), service_now() + ${IDLE}::interval, ${content})
    returning expires_at as "expiresAt"`.execute(tx)
  return rows[0]!.expiresAt
}

// Under a new id, if one is given: what `used` found it by becomes the id before.
export async function updateOnboarding(
  tx: Tx,
  vault: Vault,
  id: string,
  change: { content: OnboardingContent; rename?: { to: Buffer; used: Buffer | null } },
): Promise<Temporal.Instant> {
  const content = vault.seal(placeOf(id), JSON.stringify(change.content))
  const { rename } = change
  const { rows } = await sql<{ expiresAt: Temporal.Instant }>`
    update onboarding set content = ${content}, expires_at = ${sql.raw(RENEWED)},
           hash = coalesce(${rename?.to ?? null}::bytea, hash),
           previous_hash = case when ${rename !== undefined} then ${rename?.used ?? null}::bytea else previous_hash end
     where id = ${id} returning expires_at as "expiresAt"`.execute(tx)
  return rows[0]!.expiresAt
}

export async function deleteOnboardings(tx: Tx, hashes: readonly Buffer[]): Promise<void> {
  await sql`delete from onboarding where hash = any(${hashes}::bytea[])`.execute(tx)
}

export const deleteOldOnboardings = deleteOld('onboarding', 'expires_at < service_now()')

export const rekeyOnboardings = rekeySealed('onboarding', ['content'])
