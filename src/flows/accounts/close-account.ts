import { sql } from 'kysely'
import type { Tx } from '#base/db/db.ts'
import { Unavailable } from '#base/db/errors.ts'
import { newId } from '#base/ids.ts'
import { checkPassword, type PasswordDeps } from '#flows/accounts/change-password.ts'
import type { Limited } from '#flows/guesses/guard-guesses.ts'
import { MemberFrozen } from '#flows/kit/member-frozen.ts'
import { retryDeadlocked } from '#flows/kit/retries.ts'
import type { VaultDeps } from '#flows/kit/with-vault.ts'
import { eraseDataOf } from '#flows/members/erase-data.ts'
import { mayClose } from '#modules/accounts/rules.ts'
import { lockAccount, setClosed } from '#modules/accounts/store.ts'
import type { Account } from '#modules/accounts/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { lockHoldings, moveHoldings, waiveHoldings } from '#modules/ledger/store.ts'
import type { Asset } from '#modules/ledger/types.ts'
import { lockLinks, setRefused } from '#modules/members/links.ts'
import { deletePasskeys } from '#modules/passkeys/store.ts'
import { valueOfMetal } from '#modules/pricing/rules.ts'
import { forgetDevices } from '#modules/sessions/devices.ts'
import { endOwnSessions } from '#modules/sessions/store.ts'

interface CloseCommand {
  accountId: string
  // Null of an account that has none.
  password: string | null
  // The member lets the rest go.
  waive: boolean
  // The member asks for erasure as well.
  erase: boolean
}

type CloseOutcome =
  | { kind: 'closed' }
  | { kind: 'refused'; reason: 'wrong_login' | 'assets_remain' }
  | Limited

export type CloseAccount = (command: CloseCommand) => Promise<CloseOutcome>

// Ends an account for good. The books keep the member: holdings and movements stay written. The id is never given
// again; the person may sign up again.
export function createCloseAccount(deps: VaultDeps & PasswordDeps): CloseAccount {
  return async ({ accountId, password, waive, erase }) => {
    const checked = await checkPassword(deps, { accountId, password })
    if (checked.kind === 'limited') return checked
    if (checked.kind === 'wrong') return { kind: 'refused', reason: 'wrong_login' }
    return retryDeadlocked(() =>
      deps.database.withTransaction((tx) => close(tx, checked.account, { waive, erase })),
    )
  }
}

async function close(
  tx: Tx,
  { id, memberId, password }: Account,
  { waive, erase }: Pick<CloseCommand, 'waive' | 'erase'>,
): Promise<CloseOutcome> {
  const account = await lockAccount(tx, id)
  if (!account || account.password !== password) return { kind: 'refused', reason: 'wrong_login' }
  if (account.frozen) throw new MemberFrozen()
  const links = await lockLinks(tx, memberId)
  const holders = [memberId, ...links.map((link) => link.id)]
  if (!mayClose(await whatIsLeft(tx, holders), waive)) return { kind: 'refused', reason: 'assets_remain' }

  for (const link of links) {
    await moveHoldings(tx, link.id, memberId, newId<'join'>())
    // One that the operator has closed stays as it is.
    if (link.status === 'active') await setRefused(tx, link.id)
  }
  await waiveHoldings(tx, memberId, newId<'waive'>())
  await endOwnSessions(tx, { accountId: id, memberId })
  await forgetDevices(tx, id)
  await deletePasskeys(tx, id)
  await setClosed(tx, id)
  if (erase) await eraseDataOf(tx, { accountId: id, memberId, by: 'member' })
  const details = { waive, ...(erase ? { erase } : {}) }
  await insertAuditEntry(tx, { actor: 'member', action: 'member.close', subject: id, details })
  return { kind: 'closed' }
}

// Under the locks of everything that the member holds, in the order of ids.
async function whatIsLeft(tx: Tx, holders: readonly string[]) {
  const held = await lockHoldings(tx, holders)
  const { rows } = await sql<{ open: bigint; gold: bigint | null; silver: bigint | null }>`
    select (select count(*) from withdrawal where holder_id = any(${holders}::uuid[])
              and status in ('requested', 'approved')) as open,
           (select won_per_gram from newest_price('XAU', service_now())) as gold,
           (select won_per_gram from newest_price('XAG', service_now())) as silver`.execute(tx)
  const { open, gold, silver } = rows[0]!
  const wonOf = { KRW_POINT: null, KRW: null, XAU: gold, XAG: silver }
  const value = held.reduce((sum, { asset, balance }) => sum + wonOfHolding(asset, balance, wonOf[asset]), 0n)
  return { value, openWithdrawals: Number(open) }
}

function wonOfHolding(asset: Asset, balance: bigint, wonPerGram: bigint | null): bigint {
  if (asset === 'KRW_POINT' || asset === 'KRW' || balance === 0n) return balance
  if (wonPerGram === null) throw new Unavailable('there is no price of this metal yet')
  const value = valueOfMetal(balance, wonPerGram)
  // Metal that is worth less than a won is still something.
  return value > 0n ? value : 1n
}
