import type { Db } from '#base/db/db.ts'
import { serviceNow } from '#base/time/service-clock.ts'
import type { VaultDeps } from '#flows/kit/with-vault.ts'
import { describeMembers } from '#flows/members/describe-members.ts'
import { readMemberLists } from '#flows/members/read-member.ts'
import { listMemberConsents } from '#modules/accounts/store.ts'
import type { Account, AccountDetails } from '#modules/accounts/types.ts'
import { listFreezes } from '#modules/members/freezes.ts'
import { maskDetails } from '#modules/members/rules.ts'
import { listShownLinks } from '#modules/members/shown-links.ts'
import { listPasskeys } from '#modules/passkeys/store.ts'
import { listDevices } from '#modules/sessions/devices.ts'
import { listSessions } from '#modules/sessions/store.ts'

const SHOWN = 50

export type MemberReads = Awaited<ReturnType<typeof readMember>>

// What the operator is shown of a member, masked, but for movements and audit entries.
export async function readMember(
  { database, keys }: VaultDeps,
  memberId: string,
  account: Account | undefined,
) {
  const { db } = database
  const vault = keys.vault()
  const place = account && { table: 'member_account', column: 'details', row: account.id }
  const details =
    place && account.details ? (JSON.parse(vault.open(place, account.details)) as AccountDetails) : undefined
  const links = await listShownLinks(db, memberId)
  const accountId = account?.id ?? null
  const owners = [...(account ? [account.id] : []), ...links.map(({ id }) => id)]
  const named = links.map(({ id, partnerName, status, confirmed, registeredAt }) => {
    return { id, partner: partnerName, status, confirmed, registeredAt }
  })
  return {
    memberId,
    account,
    now: await serviceNow(database),
    line: (await describeMembers(db, vault, [memberId])).get(memberId)!,
    details: details ? maskDetails(details) : null,
    links,
    holders: [memberId, ...links.map(({ id }) => id)],
    ...(await readMemberLists(db, vault, { memberId, accountId, links: named })),
    sessions: (await listSessions(db, { accountId, memberId })).slice(0, SHOWN),
    devices: await listDevices(db, owners, SHOWN),
    passkeys: account ? await passkeysOf(db, account.id) : [],
    freezes: await listFreezes(db, memberId),
    consents: account ? await consentsOf(db, account) : [],
  }
}

// Without their names: members choose these, and put their own into them.
async function passkeysOf(db: Db, accountId: string) {
  return (await listPasskeys(db, accountId)).map(({ id, createdAt, lastUsedAt, blockedAt, backedUp }) => ({
    id,
    createdAt,
    lastUsedAt,
    blockedAt,
    backedUp,
  }))
}

async function consentsOf(db: Db, { id }: Account) {
  const consents = (await listMemberConsents(db, id)).slice(-SHOWN)
  return consents.map(({ terms_id, version, agreed, at }) => ({ termsId: terms_id, version, agreed, at }))
}
