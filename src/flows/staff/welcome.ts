import { assert } from '#base/assert.ts'
import { hashesOfTokens, hashOfToken } from '#base/crypto/token.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Tx } from '#base/db/db.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import { addPasskey, choosePassword, type OfferedTotp, offerNewTotp } from '#flows/staff/credentials.ts'
import {
  type HowProven,
  openStaffSession,
  type StaffBrowser,
  type StaffOpened,
} from '#flows/staff/open-session.ts'
import { type BegunCeremony, beginCeremony } from '#flows/staff/passkey-proof.ts'
import type { Passwords } from '#modules/accounts/password.ts'
import { isWeakPassword } from '#modules/accounts/password-strength.ts'
import { proveMade } from '#modules/passkeys/ceremony.ts'
import { takeChallenge } from '#modules/passkeys/store.ts'
import type { MadeCredential, RelyingParty } from '#modules/passkeys/types.ts'
import { newStaffDevice } from '#modules/staff/known-device.ts'
import { findLink, lockOpenLink, type OpenLink, spendLink } from '#modules/staff/links.ts'
import type { StaffMember } from '#modules/staff/staff-member.ts'
import { findStaff, lockStaff } from '#modules/staff/store.ts'

interface Welcomed {
  staff: StaffMember
  expiresAt: Temporal.Instant
}

type Refused<Reason extends string> = { kind: 'refused'; reason: Reason }
const over = { kind: 'refused', reason: 'link_over' } as const

interface PasskeyCommand {
  link: string
  // The browser's cookies, as they came.
  tokens: readonly string[]
  credential: MadeCredential
  browser: StaffBrowser
}

interface PasswordCommand {
  link: string
  password: string
  code: string
  browser: StaffBrowser
}

// What a person does with a one-time link: look, and choose a way in. The link is used up by the choice, not by looking,
// and the person is signed in. `link_over`: used, replaced, too old, or of a suspended person. Undefined means the same.
export interface Welcome {
  look(link: string): Promise<Welcomed | undefined>
  beginPasskey(link: string): Promise<(BegunCeremony & { staff: StaffMember }) | undefined>
  addPasskey(command: PasskeyCommand): Promise<StaffOpened | Refused<'link_over' | 'passkey_failed'>>
  offerTotp(link: string): Promise<OfferedTotp | undefined>
  setPassword(
    command: PasswordCommand,
  ): Promise<
    (StaffOpened & { recoveryCodes: string[] }) | Refused<'link_over' | 'weak_password' | 'wrong_code'>
  >
}

interface Deps extends VaultDeps {
  passwords: Passwords
  queue: WorkQueue
}

export function createWelcome(deps: Deps, party: RelyingParty | undefined): Welcome {
  const { database, queue, passwords } = deps
  const find = (token: string) => queue('console link', () => findOpen(deps, token))
  return {
    async look(token) {
      const open = await find(token)
      return open && { staff: open.staff, expiresAt: open.link.expiresAt }
    },
    async beginPasskey(token) {
      const open = party && (await find(token))
      return open && { ...(await beginCeremony(database, open.link.id)), staff: open.staff }
    },
    async addPasskey({ link: token, tokens, credential, browser }) {
      const open = party && (await find(token))
      if (!open) return over
      const hashes = hashesOfTokens(tokens)
      const challenge = await database.withTransaction((tx) => takeChallenge(tx, hashes, open.link.id))
      const key = challenge && (await proveMade(credential, { challenge, party }))
      if (!key) return { kind: 'refused', reason: 'passkey_failed' }
      return withLink(deps, open.link, async (tx, vault, staff) => {
        if (!(await addPasskey(tx, vault, staff, { key, label: browser.deviceLabel })))
          return { kind: 'refused', reason: 'passkey_failed' }
        return enter(tx, staff, open.link, browser, 'passkey')
      })
    },
    async offerTotp(token) {
      const open = await find(token)
      if (!open) return undefined
      const offered = await withLink(deps, open.link, (tx, vault, staff) => offerNewTotp(tx, vault, staff))
      return 'kind' in offered ? undefined : offered
    },
    async setPassword({ link: token, password, code, browser }) {
      const open = await find(token)
      if (!open) return over
      const { email, name } = open.staff
      if (await isWeakPassword(password, { loginId: email.split('@')[0]!, name }))
        return { kind: 'refused', reason: 'weak_password' }
      const hash = await passwords.hash(password)
      return withLink(deps, open.link, async (tx, vault, staff) => {
        const recoveryCodes = await choosePassword(tx, vault, staff, { password: hash, code })
        if (!recoveryCodes) return { kind: 'refused', reason: 'wrong_code' }
        const device = newStaffDevice(vault, { id: staff.id, password: hash })
        return { ...(await enter(tx, staff, open.link, browser, 'password')), recoveryCodes, device }
      })
    },
  }
}

async function findOpen(
  { database }: Deps,
  token: string,
): Promise<{ link: OpenLink; staff: StaffMember } | undefined> {
  const hash = hashOfToken(token)
  const link = hash && (await findLink(database.db, hash))
  const staff = link && (await findStaff(database.db, link.staffId))
  return link && staff?.status === 'active' ? { link, staff } : undefined
}

// With the person locked, so that of two browsers with one link one comes in. Anything refused has written nothing.
function withLink<Result>(
  deps: Deps,
  { id, staffId }: OpenLink,
  work: (tx: Tx, vault: Vault, staff: StaffMember) => Promise<Result>,
): Promise<Result | typeof over> {
  return withVault(deps, async (tx, vault) => {
    const staff = await lockStaff(tx, staffId)
    if (staff?.status !== 'active' || !(await lockOpenLink(tx, id))) return over
    return work(tx, vault, staff)
  })
}

async function enter(
  tx: Tx,
  staff: StaffMember,
  link: OpenLink,
  browser: StaffBrowser,
  how: HowProven['how'],
): Promise<StaffOpened> {
  const spent = await spendLink(tx, link.id)
  const opened = spent && (await openStaffSession(tx, staff.id, browser, { how, provenAt: 'now' }))
  assert(opened, 'link and person are held; if the hour strikes just now, all of it is rolled back')
  return opened
}
