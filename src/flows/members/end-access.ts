import type { Database, Tx } from '#base/db/db.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { findNamedMember, type NoMember } from '#flows/members/named-member.ts'
import { lockAccount } from '#modules/accounts/store.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { listLinks } from '#modules/members/links.ts'
import { endTrust, findDevices } from '#modules/sessions/devices.ts'
import { endOwnSessions, endSessionsOfDevices } from '#modules/sessions/store.ts'

interface EndCommand {
  // By login id, member id or account id.
  member: string
  reason: string
  actor: string
}

export type EndSessionsRefusal = NoMember | Refusal<'account_closed' | 'session_not_found'>

// ended: how many sessions there were.
type EndSessionsOutcome = { kind: 'done'; ended: number } | EndSessionsRefusal

// For a member who has lost a phone and asks for help. session: one of them, by its id.
export function endMemberSessions(
  database: Database,
  { member, session, reason, actor }: EndCommand & { session?: string | undefined },
): Promise<EndSessionsOutcome> {
  return withOutcome(database, async (tx) => {
    const named = await findNamedMember(tx, member)
    if (named.kind === 'refused') return named
    const { memberId, account } = named
    if (account && !(await lockAccount(tx, account.id))) return refused('account_closed')
    const owner = { accountId: account?.id ?? null, memberId }
    const ended = await endOwnSessions(tx, session === undefined ? owner : { ...owner, only: session })
    if (session !== undefined && ended === 0) return refused('session_not_found')
    await insertAuditEntry(tx, {
      actor,
      action: 'member.end_sessions',
      subject: account?.id ?? memberId,
      details: { reason, ...(session === undefined ? {} : { session }) },
      before: { sessions: ended },
      after: { sessions: 0 },
    })
    return { kind: 'done', ended }
  })
}

export type DistrustRefusal = NoMember | Refusal<'device_not_found'>

type DistrustOutcome = { kind: 'done'; devices: number; sessions: number } | DistrustRefusal

// From the commit on these browsers are strangers: their sessions end, and the next log-in there has to prove who it is.
// device: one of them, by its reference.
export function distrustDevices(
  database: Database,
  { member, device, reason, actor }: EndCommand & { device?: string | undefined },
): Promise<DistrustOutcome> {
  return withOutcome(database, async (tx) => {
    const named = await findNamedMember(tx, member)
    if (named.kind === 'refused') return named
    const { memberId, account } = named
    const links = await listLinks(tx, memberId)
    const owners = [...(account ? [account.id] : []), ...links.map(({ id }) => id)]
    const devices = await findDevices(tx, owners, device)
    if (device !== undefined && devices.length === 0) return refused('device_not_found')
    let sessions = 0
    for (const [owner, of] of Map.groupBy(devices, ({ ownerId }) => ownerId)) {
      sessions += await distrust(
        tx,
        owner,
        of.map(({ hash }) => hash),
      )
    }
    await insertAuditEntry(tx, {
      actor,
      action: 'member.distrust_devices',
      subject: account?.id ?? memberId,
      details: { reason, ...(device === undefined ? {} : { device }) },
      before: { devices: devices.length, sessions },
      after: { devices: 0, sessions: 0 },
    })
    return { kind: 'done', devices: devices.length, sessions }
  })
}

async function distrust(tx: Tx, owner: string, hashes: readonly Buffer[]): Promise<number> {
  await endTrust(tx, owner, hashes)
  return endSessionsOfDevices(tx, owner, hashes)
}
