import { assert } from '#base/assert.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Tx } from '#base/db/db.ts'
import { writePhoneNotice } from '#flows/deliveries/write-notices.ts'
import { setDetails } from '#modules/accounts/store.ts'
import type { Account, AccountDetails } from '#modules/accounts/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import type { Person } from '#modules/identity/types.ts'

// The account takes the details that the carrier gives now. This is the only way to change a phone: the member
// verifies with the new one. Carriers give numbers to other people after a while, so notices go to the last proven
// number. The number before gets a notice of the change. `account` is locked.
export async function updateDetails(
  tx: Tx,
  vault: Vault,
  account: Account,
  { person, device }: { person: Person; device: string },
): Promise<Account> {
  assert(account.details, 'an open account has its details')
  const place = { table: 'member_account', column: 'details', row: account.id }
  const before = JSON.parse(vault.open(place, account.details)) as AccountDetails
  const { name, birthday, gender, mdn } = person
  const now: AccountDetails = { ...before, name, birthday, gender, mdn }
  const changed = (['name', 'birthday', 'gender', 'mdn'] as const).filter(
    (field) => now[field] !== before[field],
  )
  if (changed.length === 0) return account
  const updated = { ...account, details: vault.seal(place, JSON.stringify(now)) }
  await setDetails(tx, account.id, updated.details)
  await insertAuditEntry(tx, {
    actor: 'member',
    action: 'member.details',
    subject: account.id,
    details: { changed },
  })
  if (before.mdn !== mdn) await writePhoneNotice(tx, vault, updated, { before: before.mdn, device })
  return updated
}
