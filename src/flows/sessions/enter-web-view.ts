import { Secret } from '#base/crypto/secret.ts'
import { hashesOfTokens, hashOfToken } from '#base/crypto/token.ts'
import type { Database } from '#base/db/db.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import { findKnownDevices } from '#modules/sessions/devices.ts'
import { deviceList, newDevice, newSessionId } from '#modules/sessions/rules.ts'
import type { DeviceId, EntryRefusal, SessionId } from '#modules/sessions/types.ts'

interface EnterCommand {
  // As they came: anything at all.
  hashKey: string
  sessions: readonly string[]
  devices: readonly string[]
  deviceLabel: string
  // In a partner's frame.
  framed: boolean
}

// Whose frames the answer may be shown in: known as soon as the key is, good or not.
type EnterOutcome =
  | {
      kind: 'entered'
      session: SessionId
      // All that the browser is to keep.
      devices: DeviceId
      framed: boolean
      partner: string
      frameAncestors: readonly string[]
    }
  | { kind: 'refused'; reason: EntryRefusal; partner: string | undefined; frameAncestors: readonly string[] }

export type EnterWebView = (command: EnterCommand) => Promise<EnterOutcome>

// One statement, so that of two callers with the same single-use key exactly one enters: the second waits for the row
// and then finds it used. The browser's former sessions end. If the link trusts one of the ids that the browser
// brought, it stays; otherwise the browser gets a new one. The first browser of a link is trusted until its member
// has decided. Any other must verify identity before it may do more than look and register cards. An expired or used
// key says only that: a reader of an old address does not learn of a freeze or a refusal. Both revoke earlier keys,
// so a member with a good key learns of them first.
const ENTER = {
  name: 'enter_web_view',
  text: `with asked as (
      select p.code, p.frame_ancestors, p.single_use_hash_keys, u.decided_at is null as trusts_first,
             case when p.status <> 'active' then 'partner_suspended'
                  when k.expires_at <= service_now() then 'expired'
                  when k.used_at is not null and p.single_use_hash_keys then 'used'
                  when u.status = 'refused' then 'link_refused'
                  when u.status = 'frozen' then 'member_frozen'
                  when u.status <> 'active' then 'link_suspended'
                  when k.issued_at <= u.logins_after then 'revoked' end as refusal
        from hash_key k
        join partner_user u on u.id = k.partner_user_id
        join partner p on p.id = u.partner_id
       where k.hash = $1),
    taken as (
      update hash_key k set used_at = coalesce(k.used_at, service_now())
        from asked
       where k.hash = $1 and asked.refusal is null
         and (k.used_at is null or not asked.single_use_hash_keys)
      returning k.partner_user_id),
    seen as (
      update device d set seen_at = service_now()
        from taken where d.owner_id = taken.partner_user_id and d.hash = any($4::bytea[]) and d.trusted
      returning d.hash),
    first as (
      insert into device (owner_id, hash, first, trusted, trusted_at, seen_at)
      select partner_user_id, $7, true, true, service_now(), service_now() from taken, asked
       where asked.trusts_first and not exists (select from seen)
      on conflict do nothing
      returning hash),
    opened as (
      insert into web_session (hash, partner_user_id, created_at, seen_at, device_hash, device_label, framed,
                               must_verify)
      select $2, partner_user_id, service_now(), service_now(), coalesce((select hash from seen limit 1), $7), $5,
             $6 and cardinality(asked.frame_ancestors) > 0,
             not exists (select from seen) and not exists (select from first)
        from taken, asked
      returning hash, framed, device_hash),
    ended as (
      update web_session set ended_at = service_now()
       where hash = any($3::bytea[]) and ended_at is null and exists (select from taken))
    select code, frame_ancestors, coalesce((select framed from opened), false) as framed,
           (select device_hash from opened) as device,
           case when not exists (select from opened) then coalesce(refusal, 'used') end as refusal
      from asked`,
}

interface EnterRow {
  code: string
  frame_ancestors: string[]
  framed: boolean
  device: Buffer | null
  refusal: EntryRefusal | null
}

const UNKNOWN: EnterOutcome = { kind: 'refused', reason: 'unknown', partner: undefined, frameAncestors: [] }

// Any visitor can call this, with any key.
export function createEnterWebView(database: Database, queue: WorkQueue): EnterWebView {
  return (command) => queue('enter', () => enter(database, command))
}

async function enter(database: Database, command: EnterCommand): Promise<EnterOutcome> {
  const { sessions, deviceLabel, framed } = command
  const keyHash = hashOfToken(command.hashKey)
  if (!keyHash) return UNKNOWN
  const session = newSessionId()
  const device = newDevice()
  const before = hashesOfTokens(sessions)
  const [row] = await database.writeOnce<EnterRow>(ENTER, [
    keyHash,
    session.hash,
    before,
    hashesOfTokens(command.devices),
    deviceLabel,
    framed,
    device.hash,
  ])
  if (!row) return UNKNOWN
  const known = { partner: row.code, frameAncestors: row.frame_ancestors }
  if (row.refusal) return { kind: 'refused', reason: row.refusal, ...known }
  const kept = command.devices.find((id) => row.device && hashOfToken(id)?.equals(row.device))
  const current = kept === undefined ? device.id : new Secret<'device'>(kept)
  const devices = await deviceList(current, command.devices, [], (hashes) =>
    findKnownDevices(database.db, hashes),
  )
  return { kind: 'entered', session: session.id, devices, framed: row.framed, ...known }
}
