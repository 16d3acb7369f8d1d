import { assert } from '#base/assert.ts'
import type { Db } from '#base/db/db.ts'
import type { VaultDeps } from '#flows/kit/with-vault.ts'
import { agreesTo, findAccount, insertConsents, lockAccount } from '#modules/accounts/store.ts'
import type { AccountDetails } from '#modules/accounts/types.ts'
import { listLinks } from '#modules/members/links.ts'
import { maskDetails } from '#modules/members/rules.ts'
import type { MemberLink } from '#modules/members/types.ts'
import { endOwnSessions, listSessions, type OwnSession } from '#modules/sessions/store.ts'

interface Owner {
  accountId: string
  memberId: string
}

export interface Profile {
  loginId: string | null
  name: string
  birthday: string
  mdn: string
  joinedAt: Temporal.Instant
  // Null as long as there is no password.
  passwordChangedAt: Temporal.Instant | null
  marketing: boolean
}

// What a member does with the account itself. None of it moves money.
export interface ManageAccount {
  profile(owner: Owner): Promise<Profile>
  agreeToNews(owner: Owner, agreed: boolean): Promise<Profile>
  sessions(owner: Owner): Promise<OwnSession[]>
  // False if there is no such session of the member's that is alive.
  endSession(owner: Owner, sessionId: string): Promise<boolean>
  endOtherSessions(owner: Owner, but: string): Promise<void>
  links(memberId: string): Promise<MemberLink[]>
}

export function createManageAccount({ database, keys }: VaultDeps): ManageAccount {
  async function profile(db: Db, { accountId }: Owner): Promise<Profile> {
    const account = await findAccount(db, accountId)
    assert(account?.details, 'an account with a session is open and has its details')
    const place = { table: 'member_account', column: 'details', row: account.id }
    const details = JSON.parse(keys.vault().open(place, account.details)) as AccountDetails
    const { name, birthday, mdn } = maskDetails(details)
    return {
      loginId: account.loginId,
      name,
      birthday,
      mdn,
      joinedAt: account.createdAt,
      passwordChangedAt: account.passwordChangedAt,
      marketing: await agreesTo(db, account.id, 'marketing'),
    }
  }
  return {
    profile: (owner) => profile(database.db, owner),
    agreeToNews: (owner, agreed) =>
      database.withTransaction(async (tx) => {
        const account = await lockAccount(tx, owner.accountId)
        if (account) await insertConsents(tx, account.id, [{ termsId: 'marketing', agreed }])
        return profile(tx, owner)
      }),
    sessions: (owner) => listSessions(database.db, owner),
    endSession: (owner, only) =>
      database.withTransaction(async (tx) => (await endOwnSessions(tx, { ...owner, only })) > 0),
    endOtherSessions: (owner, but) =>
      database.withTransaction(async (tx) => {
        await endOwnSessions(tx, { ...owner, but })
      }),
    links: (memberId) => listLinks(database.db, memberId),
  }
}
