import type { Database, Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { retryDeadlocked } from '#flows/kit/retries.ts'
import { findNamedMember, type NoMember } from '#flows/members/named-member.ts'
import { findOpenAccount, lockAccount, setFrozen } from '#modules/accounts/store.ts'
import type { Account } from '#modules/accounts/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { lockHoldings, openHolding } from '#modules/ledger/store.ts'
import {
  endFreeze,
  freezeLinks,
  insertFreeze,
  isFrozen,
  lockMember,
  thawLinks,
} from '#modules/members/freezes.ts'
import { lockLinks } from '#modules/members/links.ts'
import { forgetDevices, forgetLinkDevices } from '#modules/sessions/devices.ts'
import { endOwnSessions } from '#modules/sessions/store.ts'
import { lockOpenWithdrawals } from '#modules/withdrawals/store.ts'

export interface FreezeCommand {
  // As the operator names the member.
  member: string
  reason: string
  actor: string
}

export interface Frozen {
  kind: 'done'
  memberId: string
  loginId: string | null
  sessionsEnded: number
  withdrawalsHeld: number
}

export type FreezeRefusal = NoMember | Refusal<'already_frozen' | 'not_frozen'>

// From the commit on there is no log-in and no web view for this member, and nothing of theirs moves. The freeze
// waits for what is under way, which stands. What comes later finds the freeze. Killed before the commit, nothing was
// done.
export function freezeMember(database: Database, command: FreezeCommand): Promise<Frozen | FreezeRefusal> {
  return retryDeadlocked(() => withOutcome(database, (tx) => freeze(tx, command)))
}

async function freeze(tx: Tx, { member, reason, actor }: FreezeCommand): Promise<Frozen | FreezeRefusal> {
  const named = await findNamedMember(tx, member)
  if (named.kind === 'refused') return named
  const { memberId } = named
  const { account, withdrawals } = await lockAll(tx, memberId)
  if (await isFrozen(tx, memberId)) return refused('already_frozen')
  await insertFreeze(tx, { id: newId<'freeze'>(), memberId, by: actor })
  await freezeLinks(tx, memberId)
  if (account) await setFrozen(tx, account.id, true)
  const sessions = await endEverything(tx, memberId, account)
  await insertAuditEntry(tx, {
    actor,
    action: 'member.freeze',
    subject: memberId,
    details: { reason, withdrawals },
    before: { frozen: false, sessions },
    after: { frozen: true, sessions: 0 },
  })
  return {
    kind: 'done',
    memberId,
    loginId: account?.loginId ?? null,
    sessionsEnded: sessions,
    withdrawalsHeld: withdrawals,
  }
}

// Locks the member, the account, the links, the withdrawals and the ledger accounts in the usual order, so that the
// first wins each race. Opens the points account if there is none: a first card would open it, and now it waits.
async function lockAll(
  tx: Tx,
  memberId: string,
): Promise<{ account: Account | undefined; withdrawals: number }> {
  await lockMember(tx, memberId)
  const open = await findOpenAccount(tx, memberId)
  const account = open && (await lockAccount(tx, open.id))
  const links = await lockLinks(tx, memberId)
  const withdrawals = await lockOpenWithdrawals(tx, memberId)
  await openHolding(tx, memberId, 'KRW_POINT')
  await lockHoldings(tx, [memberId, ...links.map(({ id }) => id)])
  return { account, withdrawals: withdrawals.length }
}

// No browser stays trusted: after a thaw each one proves who uses it.
async function endEverything(tx: Tx, memberId: string, account: Account | undefined): Promise<number> {
  await forgetLinkDevices(tx, memberId)
  if (account) await forgetDevices(tx, account.id)
  return endOwnSessions(tx, { accountId: account?.id ?? null, memberId })
}

// Restores everything except the sessions, which do not come back.
export function thawMember(
  database: Database,
  { member, reason, actor }: FreezeCommand,
): Promise<Frozen | FreezeRefusal> {
  return retryDeadlocked(() =>
    withOutcome<Frozen | FreezeRefusal>(database, async (tx) => {
      const named = await findNamedMember(tx, member)
      if (named.kind === 'refused') return named
      const { memberId } = named
      const { account, withdrawals } = await lockAll(tx, memberId)
      if (!(await isFrozen(tx, memberId))) return refused('not_frozen')
      await endFreeze(tx, memberId, actor)
      await thawLinks(tx, memberId)
      if (account) await setFrozen(tx, account.id, false)
      await insertAuditEntry(tx, {
        actor,
        action: 'member.thaw',
        subject: memberId,
        details: { reason },
        before: { frozen: true },
        after: { frozen: false },
      })
      return {
        kind: 'done',
        memberId,
        loginId: account?.loginId ?? null,
        sessionsEnded: 0,
        withdrawalsHeld: withdrawals,
      }
    }),
  )
}
