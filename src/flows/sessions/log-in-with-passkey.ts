import { hashesOfTokens } from '#base/crypto/token.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Tx } from '#base/db/db.ts'
import type { Log } from '#base/log.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import { writeNotice } from '#flows/deliveries/write-notices.ts'
import type { Guard, Limited } from '#flows/guesses/guard-guesses.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import { letIn } from '#flows/sessions/log-in.ts'
import type { SessionMetrics } from '#flows/sessions/metrics.ts'
import type { Browser, Opened } from '#flows/sessions/open-session.ts'
import { holdAccount } from '#modules/accounts/store.ts'
import type { Account } from '#modules/accounts/types.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import { proveUsed } from '#modules/passkeys/ceremony.ts'
import { newCeremony, userHandleOf, wentBack } from '#modules/passkeys/rules.ts'
import {
  blockPasskey,
  findPasskey,
  insertChallenge,
  lockPasskey,
  markPasskeyUsed,
  takeChallenge,
} from '#modules/passkeys/store.ts'
import type { CeremonyToken, Passkey, RelyingParty, UsedCredential } from '#modules/passkeys/types.ts'
import { findTrustedDevice } from '#modules/sessions/devices.ts'

interface PasskeyLoginCommand {
  // The browser's cookies, as they came.
  tokens: readonly string[]
  credential: UsedCredential
  browser: Browser
}

// `stale`: the challenge was used or took too long. That is no guess.
type Looked = Opened | { kind: 'refused'; reason: 'wrong' | 'copied' | 'stale' }
type PasskeyLoginOutcome = Looked | Limited

export interface PasskeyLogin {
  begin(): Promise<{ token: CeremonyToken; challenge: string }>
  finish(command: PasskeyLoginCommand): Promise<PasskeyLoginOutcome>
}

type Deps = VaultDeps & { guard: Guard; metrics: SessionMetrics; queue: WorkQueue; log: Log }

const WRONG = { kind: 'refused', reason: 'wrong' } as const
const COPIED = { kind: 'refused', reason: 'copied' } as const
const STALE = { kind: 'refused', reason: 'stale' } as const

// A session like that of a password: what has to be proven before trading or a payout is the same.
export function createPasskeyLogin(deps: Deps, party: RelyingParty): PasskeyLogin {
  const { database, queue, guard, metrics } = deps
  return {
    // Counted apart: log-ins that are only begun do not keep people from finishing one, or from logging in with a
    // password.
    begin: () =>
      queue('begin passkey', async () => {
        const ceremony = newCeremony()
        await database.withTransaction((tx) => insertChallenge(tx, ceremony, null))
        return ceremony
      }),
    async finish(command) {
      const { credential, browser } = command
      const passkey = await queue('passkey', () =>
        findPasskey(database.db, Buffer.from(credential.id, 'base64url')),
      )
      const device = passkey && (await findKnownDevice(deps, passkey, browser))
      const outcome = await guard.attempt<Looked>(
        'login',
        // A signature cannot be guessed. The cost of checking is what counts, by address. A device that the account
        // trusts has its own count, as with passwords.
        device
          ? { account: `passkey ${device.toString('hex')}`, address: undefined }
          : { account: undefined, address: browser.address },
        () => finish(deps, party, command, passkey),
        (looked) => looked.kind === 'refused' && looked.reason !== 'stale',
      )
      metrics.logins.inc({ outcome: outcome.kind })
      return outcome
    },
  }
}

function findKnownDevice(
  { database, queue }: Deps,
  { accountId }: Passkey,
  { devices }: Browser,
): Promise<Buffer | undefined> {
  const hashes = hashesOfTokens(devices)
  return queue('passkey', () => findTrustedDevice(database.db, accountId, hashes))
}

async function finish(
  deps: Deps,
  party: RelyingParty,
  { tokens, credential, browser }: PasskeyLoginCommand,
  passkey: Passkey | undefined,
): Promise<Looked> {
  const { database, queue } = deps
  const hashes = hashesOfTokens(tokens)
  const challenge = await queue('passkey', () =>
    database.withTransaction((tx) => takeChallenge(tx, hashes, null)),
  )
  if (challenge === undefined) return STALE
  if (!passkey || credential.response.userHandle !== userHandleOf(passkey.accountId)) return WRONG
  const used = await proveUsed(credential, passkey, { challenge, party })
  if (used.kind === 'wrong') return WRONG
  const looked = await queue('passkey', () =>
    withVault(deps, async (tx, vault): Promise<Looked> => {
      // The account first, as everywhere: recovery waits for us, or we for it, and then the passkey is gone.
      const account = await holdAccount(tx, passkey.accountId)
      const locked = account && (await lockPasskey(tx, account.id, passkey.id))
      if (!locked || locked.blockedAt) return WRONG
      if (wentBack(locked.counter, used.counter))
        return block(tx, vault, { account, passkey: locked, browser })
      await markPasskeyUsed(tx, locked.id, used)
      return letIn(deps, tx, vault, account, browser)
    }),
  )
  if (looked === COPIED) deps.log.warn('a passkey may have been copied', { code: passkey.id })
  return looked
}

// Of a copy and its original, the one with the higher counter would keep working. So both are blocked.
async function block(
  tx: Tx,
  vault: Vault,
  { account, passkey, browser }: { account: Account; passkey: Passkey; browser: Browser },
): Promise<Looked> {
  await blockPasskey(tx, passkey.id)
  await insertAuditEntry(tx, {
    actor: 'service',
    action: 'member.passkey_block',
    subject: account.id,
    details: { passkey: passkey.id },
  })
  const values = { device: browser.deviceLabel }
  await writeNotice(tx, vault, account, { purpose: 'passkey_blocked', values })
  return COPIED
}
