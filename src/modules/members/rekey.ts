import { sql } from 'kysely'
import type { RekeyChunk, Rekeyed } from '#base/crypto/rekey.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Tx } from '#base/db/db.ts'
import { traceIndex, tracePlace } from './signup-traces.ts'

// Like rekeyCards: the next members after `after` that are not under the vault's own keys. Both keys change together,
// so the key that sealed the CI also says which index key finds it. The entry under the former key stays until the
// rotation ends.
export async function rekeyMembers(tx: Tx, vault: Vault, { after, limit }: RekeyChunk): Promise<Rekeyed> {
  const { rows } = await sql<{ id: string; ci: Buffer }>`
    select m.id, m.ci from member m
     where m.id > ${after}::uuid and sealed_under(m.ci) <> ${vault.sealKeyId}
     order by m.id limit ${limit} for no key update`.execute(tx)
  if (rows.length === 0) return undefined
  const fresh = rows.map(({ id, ci }) => {
    const place = { table: 'member', column: 'ci', row: id }
    const plain = vault.open(place, ci)
    return { ci: vault.seal(place, plain), hash: vault.index('ci', plain) }
  })
  const ids = rows.map((row) => row.id)
  await sql`
    insert into member_ci (key_id, hmac, member_id)
    select ${vault.indexKeyId}, f.hash, f.id
      from unnest(${ids}::uuid[], ${fresh.map((f) => f.hash)}::bytea[]) as f (id, hash) order by f.hash
    on conflict do nothing`.execute(tx)
  await sql`
    update member m set ci = f.ci
      from unnest(${ids}::uuid[], ${fresh.map((f) => f.ci)}::bytea[]) as f (id, ci) where m.id = f.id`.execute(
    tx,
  )
  return { last: ids.at(-1)!, count: ids.length }
}

export async function rekeyLinks(tx: Tx, vault: Vault, { after, limit }: RekeyChunk): Promise<Rekeyed> {
  const { rows } = await sql<{ id: string; details: Buffer }>`
    select id, details from partner_user
     where id > ${after}::uuid
       and (index_key <> ${vault.indexKeyId} or sealed_under(details) <> ${vault.sealKeyId})
     order by id limit ${limit} for no key update`.execute(tx)
  if (rows.length === 0) return undefined
  const fresh = rows.map(({ id, details }) => {
    const place = { table: 'partner_user', column: 'details', row: id }
    const plain = vault.open(place, details)
    return { details: vault.seal(place, plain), hash: vault.index('details', plain) }
  })
  const ids = rows.map((row) => row.id)
  await sql`
    update partner_user u set details = f.details, details_hash = f.hash, index_key = ${vault.indexKeyId}
      from unnest(${ids}::uuid[], ${fresh.map((f) => f.details)}::bytea[], ${fresh.map((f) => f.hash)}::bytea[])
           as f (id, details, hash)
     where u.id = f.id`.execute(tx)
  return { last: ids.at(-1)!, count: ids.length }
}

export async function rekeyTraces(tx: Tx, vault: Vault, { after, limit }: RekeyChunk): Promise<Rekeyed> {
  const { rows } = await sql<{ id: string; partner_id: number; trace: Buffer }>`
    select t.id, u.partner_id, t.trace_no as trace from signup_trace t
      join partner_user u on u.id = t.partner_user_id
     where t.id > ${after}::uuid
       and (t.index_key <> ${vault.indexKeyId} or sealed_under(t.trace_no) <> ${vault.sealKeyId})
     order by t.id limit ${limit} for no key update of t`.execute(tx)
  if (rows.length === 0) return undefined
  const fresh = rows.map(({ id, partner_id, trace }) => {
    const plain = vault.open(tracePlace(id), trace)
    return {
      trace: vault.seal(tracePlace(id), plain),
      hash: vault.index(...traceIndex(partner_id, plain)),
    }
  })
  const ids = rows.map((row) => row.id)
  await sql`
    update signup_trace t set trace_no = f.trace, hash = f.hash, index_key = ${vault.indexKeyId}
      from unnest(${ids}::uuid[], ${fresh.map((f) => f.trace)}::bytea[], ${fresh.map((f) => f.hash)}::bytea[])
           as f (id, trace, hash)
     where t.id = f.id`.execute(tx)
  return { last: ids.at(-1)!, count: ids.length }
}

// After the links: what a signup moves here from then on is under the new key.
export async function rekeyFormerDetails(
  tx: Tx,
  vault: Vault,
  { after, limit }: RekeyChunk,
): Promise<Rekeyed> {
  const { rows } = await sql<{ id: string; link: string; details: Buffer }>`
    select id, partner_user_id as link, details from former_details
     where id > ${after}::uuid and sealed_under(details) <> ${vault.sealKeyId}
     order by id limit ${limit} for no key update`.execute(tx)
  if (rows.length === 0) return undefined
  const fresh = rows.map(({ link, details }) => {
    const place = { table: 'partner_user', column: 'details', row: link }
    return vault.seal(place, vault.open(place, details))
  })
  const ids = rows.map((row) => row.id)
  await sql`
    update former_details d set details = f.details
      from unnest(${ids}::uuid[], ${fresh}::bytea[]) as f (id, details) where d.id = f.id`.execute(tx)
  return { last: ids.at(-1)!, count: ids.length }
}

// What finds people under a key that is no longer in force. Returns how many went.
export async function deleteOldIndexes(tx: Tx, keyInForce: string, limit: number): Promise<bigint> {
  const result = await sql`delete from member_ci where (key_id, hmac) in (
      select key_id, hmac from member_ci where key_id <> ${keyInForce} limit ${limit})`.execute(tx)
  return result.numAffectedRows ?? 0n
}

// A member who cannot be found by this key; undefined if there is none.
export async function findUnindexedMember(tx: Tx, key: string): Promise<string | undefined> {
  await sql`set local enable_seqscan = on`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    select m.id from member m
      left join member_ci c on c.member_id = m.id and c.key_id = ${key}
     where c.member_id is null limit 1`.execute(tx)
  return rows[0]?.id
}
