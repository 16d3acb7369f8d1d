import type { Vault } from '#base/crypto/vault.ts'
import { isUnder14 } from '#modules/accounts/rules.ts'

interface Sealed {
  id: string
  details: Buffer
}

// By what the carrier said, of a member with an account of their own who has confirmed the link; otherwise by what the
// partner told (decisions/0029).
export function isKnownUnder14(
  vault: Vault,
  told: { account: Sealed | undefined; link: Sealed | undefined },
  today: Temporal.PlainDate,
): boolean {
  const { account, link } = told
  const place = (table: string, row: string) => ({ table, column: 'details', row })
  const text = account
    ? vault.open(place('member_account', account.id), account.details)
    : link && vault.open(place('partner_user', link.id), link.details)
  const { birthday } = JSON.parse(text ?? '{}') as { birthday?: string }
  return isUnder14(birthday ?? '', today)
}
