import type { Database } from '#base/db.ts'
import { newId } from '#base/ids.ts'
import { Refused } from '#flows/kit/refused.ts'
import { lockNamedUser, type UserName } from '#flows/partner-users/named-user.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { findGrantAccount, lockHolder, openHolding, postTransfers } from '#modules/ledger/store.ts'
import { ASSETS, type Asset } from '#modules/ledger/types.ts'

export interface GrantCommand extends UserName {
  // In the asset's own unit: won, or 0.0001 g.
  amounts: Partial<Record<Asset, bigint>>
  actor: string
}

const MAX_AMOUNT = 1_000_000_000_000n // play money, yet its sums must stay exact in JSON

// Sandbox only: gives a user something to hold, so that an integrator sees more than zeros.
export function grantAssets(database: Database, command: GrantCommand): Promise<void> {
  return database.withTransaction(async (tx) => {
    const { mode } = await tx.selectFrom('installation').select('mode').executeTakeFirstOrThrow()
    if (mode !== 'sandbox') throw new Refused('assets can be granted in a sandbox only')
    const user = await lockNamedUser(tx, command)
    const holderId = await lockHolder(tx, user.id)
    const groupId = newId<'grant'>()
    const granted: Record<string, string> = {}
    for (const asset of ASSETS) {
      const amount = command.amounts[asset] ?? 0n
      if (amount === 0n) continue
      if (amount < 0n || amount > MAX_AMOUNT) throw new Refused(`at most ${MAX_AMOUNT} of an asset at a time`)
      const credit = await openHolding(tx, holderId, asset)
      const debit = await findGrantAccount(tx, asset)
      await postTransfers(tx, 'grant', [{ groupId, cardId: null, debit, credit, amount }])
      granted[asset] = amount.toString()
    }
    if (Object.keys(granted).length === 0) throw new Refused('nothing to grant')
    await insertAuditEntry(tx, {
      actor: command.actor,
      action: 'user.grant',
      subject: user.id,
      details: granted,
    })
  })
}
