import { hashesOfTokens } from '#base/crypto/token.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import { writeNotice } from '#flows/deliveries/write-notices.ts'
import type { Limited } from '#flows/guesses/guard-guesses.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import { findAccount, lockAccount } from '#modules/accounts/store.ts'
import type { Account } from '#modules/accounts/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { countInLastHour } from '#modules/deliveries/notices/store.ts'
import { proveMade } from '#modules/passkeys/ceremony.ts'
import { ADDED_AN_HOUR, MAX_PASSKEYS, newCeremony } from '#modules/passkeys/rules.ts'
import {
  deletePasskey,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  lockPasskey,
  renamePasskey,
  takeChallenge,
} from '#modules/passkeys/store.ts'
import type {
  CeremonyToken,
  MadeCredential,
  PasskeyId,
  ProvenKey,
  RelyingParty,
} from '#modules/passkeys/types.ts'
import { lockSession } from '#modules/sessions/store.ts'

interface Owner {
  accountId: string
  sessionId: string
}

export interface ShownPasskey {
  id: PasskeyId
  name: string
  synced: boolean
  blocked: boolean
  createdAt: Temporal.Instant
  lastUsedAt: Temporal.Instant | null
}

interface AddCommand extends Owner {
  // The browser's cookies, as they came.
  tokens: readonly string[]
  credential: MadeCredential
  // The name it gets first, and who added it.
  deviceLabel: string
}

// A caller sees the first that applies.
type AddOutcome = { kind: 'added' } | { kind: 'refused'; reason: 'passkey_failed' | 'conflict' } | Limited

// What a signed-in member does with passkeys. Before one is added, the caller has made sure that identity was just
// verified.
export interface ManagePasskeys {
  list(owner: Owner): Promise<ShownPasskey[]>
  // Undefined if there are as many as there may be.
  begin(owner: Owner): Promise<BegunAdding | undefined>
  add(command: AddCommand): Promise<AddOutcome>
  // False if it is not the member's.
  rename(owner: Owner, id: string, name: string): Promise<boolean>
  remove(owner: Owner, id: string, deviceLabel: string): Promise<boolean>
}

interface BegunAdding {
  token: CeremonyToken
  challenge: string
  // Null of a member who never chose one.
  loginId: string | null
  known: { credentialId: Buffer; transports: readonly string[] }[]
}

const placeOf = (row: string) => ({ table: 'passkey', column: 'name', row })

export function createManagePasskeys(deps: VaultDeps, party: RelyingParty): ManagePasskeys {
  const { database, keys } = deps
  return {
    async list({ accountId }) {
      const passkeys = await listPasskeys(database.db, accountId)
      return passkeys.map(({ id, name, backedUp, blockedAt, createdAt, lastUsedAt }) => ({
        id,
        name: keys.vault().open(placeOf(id), name),
        synced: backedUp,
        blocked: blockedAt !== null,
        createdAt,
        lastUsedAt,
      }))
    },
    begin: ({ accountId, sessionId }) =>
      database.withTransaction(async (tx) => {
        const account = await findAccount(tx, accountId)
        const known = await listPasskeys(tx, accountId)
        if (!account || known.length >= MAX_PASSKEYS) return undefined
        const ceremony = newCeremony()
        await insertChallenge(tx, ceremony, sessionId)
        const { token, challenge } = ceremony
        return { token, challenge, loginId: account.loginId, known }
      }),
    async add(command) {
      const hashes = hashesOfTokens(command.tokens)
      const challenge = await database.withTransaction((tx) => takeChallenge(tx, hashes, command.sessionId))
      const key = challenge && (await proveMade(command.credential, { challenge, party }))
      if (!key) return { kind: 'refused', reason: 'passkey_failed' }
      return withVault(deps, (tx, vault) => add(tx, vault, command, key))
    },
    rename: ({ accountId }, id, name) =>
      withVault(deps, async (tx, vault) => {
        const passkey = await lockPasskey(tx, accountId, id)
        if (!passkey) return false
        await renamePasskey(tx, passkey.id, vault.seal(placeOf(passkey.id), name))
        await audit(tx, accountId, 'member.passkey_rename', passkey.id)
        return true
      }),
    remove: (owner, id, deviceLabel) =>
      withVault(deps, async (tx, vault) => {
        const account = await lockAccount(tx, owner.accountId)
        const passkey = account && (await lockPasskey(tx, account.id, id))
        if (!passkey) return false
        await deletePasskey(tx, passkey.id)
        await audit(tx, account.id, 'member.passkey_remove', passkey.id)
        await tell(tx, vault, account, 'passkey_removed', deviceLabel)
        return true
      }),
  }
}

// Under the account's lock, which recovery, the stop and closing take too. They end the sessions, and an ended
// session adds no passkey afterwards.
async function add(
  tx: Tx,
  vault: Vault,
  { accountId, sessionId, deviceLabel }: AddCommand,
  key: ProvenKey,
): Promise<AddOutcome> {
  const account = await lockAccount(tx, accountId)
  const session = account && (await lockSession(tx, sessionId))
  if (!session) return { kind: 'refused', reason: 'passkey_failed' }
  if ((await countInLastHour(tx, account.id, 'passkey_added')) >= ADDED_AN_HOUR)
    return { kind: 'limited', retryAfterSeconds: 3_600 }
  if ((await listPasskeys(tx, account.id)).length >= MAX_PASSKEYS)
    return { kind: 'refused', reason: 'conflict' }
  const id = newId<'passkey'>()
  const name = vault.seal(placeOf(id), deviceLabel)
  if (!(await insertPasskey(tx, { ...key, id, accountId: account.id, name })))
    return { kind: 'refused', reason: 'conflict' }
  await audit(tx, account.id, 'member.passkey_add', id)
  await tell(tx, vault, account, 'passkey_added', deviceLabel)
  return { kind: 'added' }
}

function audit(tx: Tx, accountId: string, action: string, passkey: PasskeyId): Promise<void> {
  return insertAuditEntry(tx, { actor: 'member', action, subject: accountId, details: { passkey } })
}

function tell(
  tx: Tx,
  vault: Vault,
  account: Account,
  purpose: 'passkey_added' | 'passkey_removed',
  device: string,
): Promise<void> {
  return writeNotice(tx, vault, account, { purpose, values: { device } })
}
