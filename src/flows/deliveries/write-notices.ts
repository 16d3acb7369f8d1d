import { assert } from '#base/assert.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import type { Account, AccountDetails } from '#modules/accounts/types.ts'
import { countInLastHour, insertNotice, listRecentNumbers } from '#modules/deliveries/notices/store.ts'
import type { NoticePurpose, NoticeValues } from '#modules/deliveries/notices/types.ts'
import { maskMobile, normalizeMobile } from '#modules/gift-cards/phone.ts'

// A thief who has changed the number cannot silence the old one.
const OLD_NUMBER_DAYS = 7
// A thief with the password must not be able to ring the phone all night. The first notice of an hour is always sent.
const NEW_DEVICES_AN_HOUR = 5

interface Notice {
  purpose: NoticePurpose
  // The withdrawal that it tells of.
  actId?: string
  values: NoticeValues
}

// Written in the transaction of the act itself: there is no act without its notice. It goes to the number that the
// account has, and for some days after a change of it to the one before as well.
export async function writeNotice(tx: Tx, vault: Vault, account: Account, notice: Notice): Promise<void> {
  const earlier = await listRecentNumbers(tx, vault, account.id, OLD_NUMBER_DAYS)
  await writeTo(tx, vault, account, notice, [numberOf(vault, account), ...earlier])
}

// What recovery and the stop say of the passkeys that they have removed; nothing if there were none.
export function removedPasskeys(count: number): Pick<NoticeValues, 'passkeysRemoved'> {
  return count > 0 ? { passkeysRemoved: String(count) } : {}
}

// To the old number and the new one. `account` has its new details already.
export async function writePhoneNotice(
  tx: Tx,
  vault: Vault,
  account: Account,
  { before, device }: { before: string; device: string },
): Promise<void> {
  const now = numberOf(vault, account)
  const notice = { purpose: 'phone', values: { device, newNumber: maskMobile(now) } } as const
  await writeTo(tx, vault, account, notice, [e164(before), now])
}

// False if the account had so many notices of new devices within the hour that this one is left out.
export async function writeDeviceNotice(
  tx: Tx,
  vault: Vault,
  account: Account,
  device: string,
): Promise<boolean> {
  if ((await countInLastHour(tx, account.id, 'new_device')) >= NEW_DEVICES_AN_HOUR) return false
  await writeNotice(tx, vault, account, { purpose: 'new_device', values: { device } })
  return true
}

async function writeTo(
  tx: Tx,
  vault: Vault,
  { id, language }: Account,
  { purpose, actId, values }: Notice,
  numbers: readonly string[],
): Promise<void> {
  for (const to of new Set(numbers)) {
    const key = newId<'notice'>()
    await insertNotice(tx, vault, {
      key,
      accountId: id,
      purpose,
      actId: actId ?? null,
      language,
      to,
      values,
    })
  }
}

function numberOf(vault: Vault, { id, details }: Account): string {
  assert(details, 'an open account has its details')
  const place = { table: 'member_account', column: 'details', row: id }
  return e164((JSON.parse(vault.open(place, details)) as AccountDetails).mdn)
}

// The provider refuses a number that is not a Korean mobile, so that an operator sees it.
function e164(mdn: string): string {
  return normalizeMobile(mdn) ?? `+82${mdn.replace(/\D/g, '').replace(/^0/, '')}`
}
