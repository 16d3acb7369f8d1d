import { sql } from 'kysely'
import type { Db, Reader, Tx } from '#base/db/db.ts'
import { networks } from '#base/http/networks.ts'
import type { KeyId, KeylessPartner, KnownKey, KnownPartner, Partner, PartnerTerms, Scope } from './types.ts'

const PARTNER_COLUMNS = [
  'partner.id',
  'partner.code',
  'partner.name',
  'partner.status',
  'partner.key_format',
  'partner.key_pattern',
  'partner.amount_min',
  'partner.amount_max',
  'partner.validity_months',
  'partner.rate_limit',
  'partner.keyless',
  'partner.networks',
  'partner.single_use_hash_keys',
  'partner.frame_ancestors',
  'partner.sender_name',
  'partner.message_language',
] as const

function selectPartners(db: Db) {
  return db
    .selectFrom('partner')
    .innerJoin('account', (join) =>
      join.onRef('account.partner_id', '=', 'partner.id').on('account.kind', '=', 'partner_receivable'),
    )
    .select(PARTNER_COLUMNS)
    .select([sql<bigint>`-account.floor`.as('credit_limit'), sql<bigint>`-account.balance`.as('owed')])
}

type PartnerRow = Awaited<ReturnType<ReturnType<typeof selectPartners>['executeTakeFirstOrThrow']>>

function toPartner(row: PartnerRow): Partner {
  return {
    id: row.id,
    code: row.code,
    name: row.name,
    status: row.status as Partner['status'],
    keyFormat: row.key_format as Partner['keyFormat'],
    keyPattern: row.key_pattern,
    amountMin: row.amount_min,
    amountMax: row.amount_max,
    validityMonths: row.validity_months,
    creditLimit: row.credit_limit,
    owed: row.owed,
    rateLimit: row.rate_limit,
    keyless: row.keyless,
    networks: row.networks,
    singleUseHashKeys: row.single_use_hash_keys,
    frameAncestors: row.frame_ancestors,
    senderName: row.sender_name,
    messageLanguage: row.message_language as Partner['messageLanguage'],
  }
}

export async function listPartners(db: Db): Promise<Partner[]> {
  return (await selectPartners(db).orderBy('partner.id').execute()).map(toPartner)
}

const CODES = { name: 'list_partner_codes', text: 'select id, code from partner' }

export async function mapPartnerCodes(database: Reader): Promise<ReadonlyMap<number, string>> {
  const rows = await database.read<{ id: number; code: string }>(CODES, [])
  return new Map(rows.map(({ id, code }) => [id, code]))
}

// Of all partners, or of one.
export async function listPartnerCodes(db: Db, partnerId: number | null): Promise<string[]> {
  const partners = await db
    .selectFrom('partner')
    .select('code')
    .$if(partnerId !== null, (query) => query.where('id', '=', partnerId))
    .orderBy('code')
    .execute()
  return partners.map(({ code }) => code)
}

export async function findPartner(db: Db, code: string): Promise<Partner | undefined> {
  const row = await selectPartners(db).where('partner.code', '=', code).executeTakeFirst()
  return row && toPartner(row)
}

// For a change: no other transaction changes this partner until this one ends.
export async function findPartnerName(db: Db, id: number): Promise<string> {
  const { name } = await db
    .selectFrom('partner')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return name
}

export async function lockPartner(tx: Tx, code: string): Promise<Partner | undefined> {
  await tx.selectFrom('partner').select('id').where('code', '=', code).forUpdate().execute()
  return findPartner(tx, code)
}

function termColumns(terms: PartnerTerms) {
  return {
    name: terms.name,
    status: terms.status,
    key_format: terms.keyFormat,
    key_pattern: terms.keyPattern,
    amount_min: terms.amountMin,
    amount_max: terms.amountMax,
    validity_months: terms.validityMonths,
    rate_limit: terms.rateLimit,
    keyless: terms.keyless,
    networks: [...terms.networks],
    single_use_hash_keys: terms.singleUseHashKeys,
    frame_ancestors: [...terms.frameAncestors],
    sender_name: terms.senderName,
    message_language: terms.messageLanguage,
  }
}

export async function insertPartner(tx: Tx, code: string, terms: PartnerTerms): Promise<number | undefined> {
  const row = await tx
    .insertInto('partner')
    .values({ code, ...termColumns(terms) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function updatePartner(tx: Tx, id: number, terms: PartnerTerms): Promise<void> {
  await tx.updateTable('partner').set(termColumns(terms)).where('id', '=', id).execute()
}

export interface NewKey {
  id: KeyId
  secretHash: Buffer
  label: string
  scopes: readonly Scope[]
  networks: readonly string[]
  expiresInDays: number | null
}

export async function insertKey(tx: Tx, partnerId: number, key: NewKey): Promise<void> {
  await tx
    .insertInto('api_key')
    .values({
      id: key.id,
      partner_id: partnerId,
      secret_hash: key.secretHash,
      label: key.label,
      scopes: [...key.scopes],
      networks: [...key.networks],
      expires_at:
        key.expiresInDays === null
          ? null
          : sql<Temporal.Instant>`service_now() + make_interval(days => ${key.expiresInDays})`,
    })
    .execute()
}

export function listKeys(db: Db, partnerId: number | undefined) {
  return db
    .selectFrom('api_key')
    .innerJoin('partner', 'partner.id', 'api_key.partner_id')
    .select(['api_key.id', 'partner.code', 'api_key.label', 'api_key.scopes', 'api_key.networks'])
    .select(['api_key.created_at', 'api_key.expires_at', 'api_key.revoked_at', 'api_key.last_used_at'])
    .$if(partnerId !== undefined, (query) => query.where('api_key.partner_id', '=', partnerId!))
    .orderBy('api_key.created_at')
    .execute()
}

export interface LockedKey {
  id: KeyId
  partnerId: number
  code: string
  label: string
  scopes: Scope[]
  networks: string[]
  // How long it was to live; null: for good.
  lifetimeDays: number | null
  revokedAt: Temporal.Instant | null
  // Revoked or expired.
  ended: boolean
}

// Of two who rotate a key at once, the second finds what the first left.
export async function lockKey(tx: Tx, id: string): Promise<LockedKey | undefined> {
  const { rows } = await sql<LockedKey>`
    select k.id, k.partner_id as "partnerId", p.code, k.label, k.scopes, k.networks,
           ceil(extract(epoch from k.expires_at - k.created_at) / 86400)::int as "lifetimeDays",
           k.revoked_at as "revokedAt",
           coalesce(least(k.revoked_at, k.expires_at) <= service_now(), false) as ended
      from api_key k join partner p on p.id = k.partner_id where k.id = ${id} for no key update of k`.execute(
    tx,
  )
  return rows[0]
}

// Revoked now, or at the end of an overlap. Undefined: no such key. Ending a key never makes it live longer.
export async function endKey(tx: Tx, id: string, inMinutes: number) {
  return tx
    .updateTable('api_key')
    .set({
      revoked_at: sql<Temporal.Instant>`least(revoked_at, service_now() + make_interval(mins => ${inMinutes}))`,
    })
    .where('id', '=', id)
    .returning(['id', 'partner_id', 'revoked_at'])
    .executeTakeFirst()
}

// Once a minute is exact enough for "last used", and keeps a busy key's row from being rewritten all day.
export async function markKeysUsed(tx: Tx, ids: readonly KeyId[]): Promise<void> {
  await sql`update api_key set last_used_at = service_now()
    where id in (select id from api_key where id = any(${ids})
                  and (last_used_at is null or last_used_at < service_now() - interval '1 minute')
                  order by id for no key update skip locked)`.execute(tx)
}

interface KnownPartnerRow {
  partner_id: number
  code: string
  status: string
  rate_limit: number
  key_format: string
  key_pattern: string | null
}

interface KnownKeyRow extends KnownPartnerRow {
  id: KeyId
  secret_hash: Buffer
  scopes: Scope[]
  networks: string[]
  ended: KnownKey['ended']
}

const KNOWN_COLUMNS = 'p.id as partner_id, p.code, p.status, p.rate_limit, p.key_format, p.key_pattern'

const FIND_KEYS = {
  name: 'find_keys',
  text: `select k.id, k.secret_hash, k.scopes, k.networks,
                case when k.revoked_at <= service_now() then 'revoked'
                     when k.expires_at <= service_now() then 'expired' end as ended, ${KNOWN_COLUMNS}
           from api_key k join partner p on p.id = k.partner_id
          where k.id = any($1::text[])`,
}

export async function findKnownKeys(
  database: Reader,
  ids: readonly KeyId[],
): Promise<(KnownKey | undefined)[]> {
  const rows = await database.read<KnownKeyRow>(FIND_KEYS, [ids])
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const row = byId.get(id)
    return row && toKnownKey(row)
  })
}

function toKnownKey(row: KnownKeyRow): KnownKey {
  return {
    id: row.id,
    secretHash: row.secret_hash,
    scopes: row.scopes,
    networks: networks(row.networks),
    ended: row.ended,
    partner: toKnownPartner(row),
  }
}

function toKnownPartner(row: KnownPartnerRow): KnownPartner {
  return {
    id: row.partner_id,
    code: row.code,
    active: row.status === 'active',
    rateLimit: row.rate_limit,
    keyFormat: row.key_format as KnownPartner['keyFormat'],
    keyPattern: row.key_pattern,
  }
}

const FIND_KEYLESS = {
  name: 'find_keyless_partners',
  text: `select ${KNOWN_COLUMNS}, p.networks, p.keyless from partner p where cardinality(p.networks) > 0`,
}

export async function findKeylessPartners(database: Reader): Promise<KeylessPartner[]> {
  const rows = await database.read<KnownPartnerRow & { networks: string[]; keyless: boolean }>(
    FIND_KEYLESS,
    [],
  )
  return rows.map((row) => ({
    ...toKnownPartner(row),
    networks: networks(row.networks),
    keyless: row.keyless,
  }))
}
