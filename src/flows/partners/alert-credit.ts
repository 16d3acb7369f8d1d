import { newId } from '#base/ids.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import { insertNotice } from '#modules/deliveries/notices/store.ts'
import { listContacts } from '#modules/partners/contacts.ts'
import { listUntold, lockUntold, markCrossings, markTold } from '#modules/partners/credit-alerts.ts'
import { findPartner } from '#modules/partners/store.ts'

// Tells partners that come near their credit limit, once for each crossing. A crossing and its messages are rows: killed on any
// line, the next run goes on, and nothing is told twice. Without a contact it waits until there is one.
export async function alertCredit(deps: VaultDeps): Promise<number> {
  const { database } = deps
  await database.withTransaction(markCrossings)
  let messages = 0
  for (const code of await listUntold(database)) messages += await tell(deps, code)
  return messages
}

function tell(deps: VaultDeps, code: string): Promise<number> {
  return withVault(deps, async (tx, vault) => {
    const partner = (await findPartner(tx, code))!
    const alerts = await lockUntold(tx, partner.id)
    const contacts = await listContacts(tx, vault, partner.id)
    const numbers = contacts.flatMap(({ id, phone }) => (phone === null ? [] : [{ id, phone }]))
    if (alerts.length === 0 || numbers.length === 0) return 0
    // Both levels at once: the higher one says it all.
    const purpose = alerts.some(({ level }) => level === 95) ? 'credit_95' : 'credit_80'
    const values = { partner: code, owed: String(partner.owed), limit: String(partner.creditLimit) }
    for (const { id, phone } of numbers)
      await insertNotice(tx, vault, {
        key: newId<'notice'>(),
        accountId: id,
        purpose,
        actId: null,
        language: partner.messageLanguage,
        to: phone,
        values,
      })
    await markTold(
      tx,
      alerts.map(({ id }) => id),
    )
    return numbers.length
  })
}
