import type { Database } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { type Refusal, refused, withOutcome } from '#flows/kit/outcome.ts'
import { lockNamedUser, type NoUser, type UserName } from '#flows/partner-users/named-user.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { findGrantAccount, lockHolder, openHolding, postTransfers } from '#modules/ledger/store.ts'
import { ASSETS, type Asset } from '#modules/ledger/types.ts'

export interface GrantCommand extends UserName {
  // In the asset's own unit: won, or 0.0001 g.
  amounts: Partial<Record<Asset, bigint>>
  actor: string
}

const MAX_AMOUNT = 1_000_000_000_000n // play money, yet its sums must stay exact in JSON

export type GrantRefusal =
  | NoUser
  | Refusal<'sandbox_only' | 'nothing_to_grant'>
  | Refusal<'amount_out_of_bounds', { most: bigint }>

// Sandbox only: gives a user something to hold, so that an integrator sees more than zeros.
export function grantAssets(
  database: Database,
  command: GrantCommand,
): Promise<{ kind: 'done' } | GrantRefusal> {
  return withOutcome(database, async (tx) => {
    const { mode } = await tx.selectFrom('installation').select('mode').executeTakeFirstOrThrow()
    if (mode !== 'sandbox') return refused('sandbox_only')
    const named = await lockNamedUser(tx, command)
    if (named.kind === 'refused') return named
    const { user } = named
    const holderId = await lockHolder(tx, user.id)
    const groupId = newId<'grant'>()
    const granted: Record<string, string> = {}
    for (const asset of ASSETS) {
      const amount = command.amounts[asset] ?? 0n
      if (amount === 0n) continue
      if (amount < 0n || amount > MAX_AMOUNT) return refused('amount_out_of_bounds', { most: MAX_AMOUNT })
      const credit = await openHolding(tx, holderId, asset)
      const debit = await findGrantAccount(tx, asset)
      await postTransfers(tx, 'grant', [{ groupId, cardId: null, debit, credit, amount }])
      granted[asset] = amount.toString()
    }
    if (Object.keys(granted).length === 0) return refused('nothing_to_grant')
    await insertAuditEntry(tx, {
      actor: command.actor,
      action: 'user.grant',
      subject: user.id,
      details: granted,
    })
    return { kind: 'done' }
  })
}
