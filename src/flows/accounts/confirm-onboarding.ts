import type { Vault } from '#base/crypto/vault.ts'
import type { Tx } from '#base/db/db.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import { advanceOnboarding, type KeptOnboarding, lockRunning } from '#flows/accounts/onboarding.ts'
import { updateDetails } from '#flows/accounts/update-details.ts'
import { type ProofRefusal, recordProof } from '#flows/accounts/verify-identity.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import { letIn } from '#flows/sessions/log-in.ts'
import type { SessionMetrics } from '#flows/sessions/metrics.ts'
import type { Browser, Opened } from '#flows/sessions/open-session.ts'
import { lockAccount } from '#modules/accounts/store.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'
import type { Person } from '#modules/identity/types.ts'

interface ConfirmCommand {
  tokens: readonly string[]
  verificationId: string
  // The person whom the carrier named when the code was right.
  person: Person & { isForeigner: boolean }
  browser: Browser
  today: Temporal.PlainDate
}

type ConfirmOutcome =
  | { kind: 'refused'; reason: ProofRefusal }
  // `opened`: a member, who is logged in.
  | { kind: 'confirmed'; kept: KeptOnboarding; opened: Opened | null }

export type ConfirmOnboarding = (command: ConfirmCommand) => Promise<ConfirmOutcome>

type ConfirmDeps = VaultDeps & { queue: WorkQueue; metrics: SessionMetrics }

const GONE = { kind: 'refused', reason: 'gone' } as const

// The visitor typed the right code. One transaction finds the person and opens a member's session: that is logging in
// by phone. It is as strong as recovery, and the member's numbers get a notice of a new device in the same way. The
// visitor gets a new id, which an attacker who planted or saw the old one does not have.
export function createConfirmOnboarding(deps: ConfirmDeps): ConfirmOnboarding {
  return async (command) => {
    const outcome = await deps.queue('identity', () =>
      withVault(deps, (tx, vault) => confirm(deps, tx, vault, command)),
    )
    if (outcome.kind === 'confirmed' && outcome.opened) deps.metrics.logins.inc({ outcome: 'opened' })
    return outcome
  }
}

async function confirm(
  deps: ConfirmDeps,
  tx: Tx,
  vault: Vault,
  command: ConfirmCommand,
): Promise<ConfirmOutcome> {
  const { tokens, verificationId, person, today, browser } = command
  const locked = await lockRunning(tx, vault, tokens)
  if (locked?.content.verification.id !== verificationId) return GONE
  const proof = await recordProof(tx, vault, { id: verificationId, person, session: null, today })
  if (proof.kind === 'refused') return proof
  const { purpose } = locked.content.verification
  const opened =
    purpose === 'sign_up' && proof.accountId !== null
      ? await enter(deps, tx, vault, proof.accountId, { person, browser })
      : null
  if (opened === undefined) return GONE
  const { maskedName: name, loginId, knownThrough } = proof
  const verified = { name, isMember: proof.accountId !== null, loginId, knownThrough }
  const { card } = locked.content
  const kept = await advanceOnboarding(tx, vault, locked.row, {
    card,
    details: null,
    verification: { id: verificationId, purpose, verified },
  })
  return { kind: 'confirmed', kept, opened } as const
}

// Undefined if the account was closed a moment ago.
async function enter(
  deps: ConfirmDeps,
  tx: Tx,
  vault: Vault,
  accountId: string,
  { person, browser }: Pick<ConfirmCommand, 'person' | 'browser'>,
): Promise<Opened | undefined> {
  const locked = await lockAccount(tx, accountId)
  if (!locked) return undefined
  const account = await updateDetails(tx, vault, locked, { person, device: browser.deviceLabel })
  await insertAuditEntry(tx, { actor: 'member', action: 'member.phone_login', subject: account.id })
  return letIn(deps, tx, vault, account, browser, { verified: true })
}
