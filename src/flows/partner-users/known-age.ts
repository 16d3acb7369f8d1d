import type { Vault } from '#base/crypto/vault.ts'
import { isUnder14 } from '#modules/accounts/rules.ts'

interface Sealed {
  id: string
  details: Buffer
}

type OpenDetails = () => { name: string; birthday?: string }

// Opens the details when they are first asked for. Most requests of a session need neither the name nor the age, and
// opening them would be a large part of such a request's cost.
export function detailsOf(
  vault: Vault,
  table: 'member_account' | 'partner_user',
  { id, details }: Sealed,
): OpenDetails {
  let opened: ReturnType<OpenDetails> | undefined
  return () => {
    opened ??= JSON.parse(vault.open({ table, column: 'details', row: id }, details)) as typeof opened
    return opened!
  }
}

// By what the carrier said, of a member with an account of their own who has confirmed the link; otherwise by what the
// partner told (decisions/0029).
export function isKnownUnder14(
  { account, link }: { account: OpenDetails | undefined; link: OpenDetails },
  today: Temporal.PlainDate,
): boolean {
  return isUnder14((account ?? link)().birthday ?? '', today)
}
