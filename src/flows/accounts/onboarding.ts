import { Secret } from '#base/crypto/secret.ts'
import { hashesOfTokens, hashToken, newToken } from '#base/crypto/token.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Tx } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import type { WorkQueue } from '#base/queues/work-queue.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import { type Pin, parsePin } from '#modules/gift-cards/pin.ts'
import { EMPTY } from '#modules/onboarding/rules.ts'
import {
  deleteOnboardings,
  insertOnboarding,
  lockOnboarding,
  lockSuperseded,
  openContent,
  updateOnboarding,
  useOnboarding,
} from '#modules/onboarding/store.ts'
import type {
  OnboardingContent,
  OnboardingRow,
  OnboardingToken,
  ToldCard,
  TypedDetails,
} from '#modules/onboarding/types.ts'

// What a visitor brings is kept here, not in the browser: reloading, Back and Forward lose nothing. The browser has
// an id in a cookie, and an attacker may have planted that cookie. So an id is never taken over: each step that adds
// something continues under a new one, and the old id can only repeat that step (decisions/0040).

export interface OnboardingState {
  content: OnboardingContent
  expiresAt: Temporal.Instant
}

export interface KeptOnboarding extends OnboardingState {
  token: OnboardingToken
}

type Purpose = 'sign_up' | 'recover'

export interface Onboarding {
  find(tokens: readonly string[]): Promise<OnboardingState | undefined>
  // Starts again with this card: a planted id must not give the card to an attacker.
  keepCard(tokens: readonly string[], card: { pin: Pin; told: ToldCard | null }): Promise<KeptOnboarding>
  keepStarted(
    tokens: readonly string[],
    started: { details: TypedDetails; verificationId: string; purpose: Purpose },
  ): Promise<KeptOnboarding>
  // The verification whose code is to be typed, or was, with the answer lost.
  findRunning(tokens: readonly string[]): Promise<string | undefined>
  // The verification that proves who the visitor is, for this purpose.
  findProven(tokens: readonly string[], purpose: Purpose): Promise<string | undefined>
  findPin(tokens: readonly string[]): Promise<Pin | undefined>
  // The verification was used: the card alone stays.
  settle(tokens: readonly string[]): Promise<void>
  noteRegistered(tokens: readonly string[]): Promise<void>
  end(tokens: readonly string[]): Promise<void>
}

type OnboardingDeps = VaultDeps & { queue: WorkQueue }

export function createOnboarding(deps: OnboardingDeps): Onboarding {
  const { database, keys, queue } = deps
  async function find(tokens: readonly string[]): Promise<OnboardingState | undefined> {
    const hashes = hashesOfTokens(tokens)
    if (hashes.length === 0) return undefined
    const row = await queue('onboarding', () => useOnboarding(database, hashes))
    return row && { content: openContent(keys.vault(), row), expiresAt: row.expiresAt }
  }
  function write<Result>(work: (tx: Tx, vault: Vault) => Promise<Result>): Promise<Result> {
    return queue('onboarding', () => withVault(deps, work))
  }
  function change(tokens: readonly string[], next: (content: OnboardingContent) => OnboardingContent) {
    return write(async (tx, vault) => {
      const row = await lockOnboarding(tx, hashesOfTokens(tokens))
      if (row) await updateOnboarding(tx, vault, row.id, { content: next(openContent(vault, row)) })
    })
  }
  return {
    find,
    keepCard: (tokens, { pin, told }) =>
      write(async (tx, vault) => {
        await deleteOnboardings(tx, hashesOfTokens(tokens))
        return begin(tx, vault, { ...EMPTY, card: { pin: pin.reveal(), told, registered: false } })
      }),
    keepStarted: (tokens, started) => write((tx, vault) => keepStarted(tx, vault, tokens, started)),
    findRunning: (tokens) =>
      write(async (tx, vault) => (await lockRunning(tx, vault, tokens))?.content.verification.id),
    async findProven(tokens, purpose) {
      const { verification } = (await find(tokens))?.content ?? EMPTY
      return verification?.verified && verification.purpose === purpose ? verification.id : undefined
    },
    async findPin(tokens) {
      const { card } = (await find(tokens))?.content ?? EMPTY
      return card ? parsePin(card.pin) : undefined
    },
    settle: (tokens) => change(tokens, ({ card }) => ({ ...EMPTY, card })),
    noteRegistered: (tokens) =>
      change(tokens, ({ card, ...rest }) => ({ ...rest, card: card && { ...card, registered: true } })),
    async end(tokens) {
      const hashes = hashesOfTokens(tokens)
      if (hashes.length > 0) await write((tx) => deleteOnboardings(tx, hashes))
    },
  }
}

async function begin(tx: Tx, vault: Vault, content: OnboardingContent): Promise<KeptOnboarding> {
  const token = newToken()
  const row = { id: newId<'onboarding'>(), hash: hashToken(token), content }
  return { token: new Secret(token), content, expiresAt: await insertOnboarding(tx, vault, row) }
}

// Continues under a new id, so that an attacker who planted or saw the former one cannot read what was added.
export async function advanceOnboarding(
  tx: Tx,
  vault: Vault,
  row: OnboardingRow,
  content: OnboardingContent,
): Promise<KeptOnboarding> {
  const token = newToken()
  const rename = { to: hashToken(token), used: row.hash }
  const expiresAt = await updateOnboarding(tx, vault, row.id, { content, rename })
  return { token: new Secret(token), content, expiresAt }
}

async function keepStarted(
  tx: Tx,
  vault: Vault,
  tokens: readonly string[],
  { details, verificationId, purpose }: Parameters<Onboarding['keepStarted']>[1],
): Promise<KeptOnboarding> {
  const row = (await lockOnboarding(tx, hashesOfTokens(tokens))) ?? (await lockUnconfirmed(tx, vault, tokens))
  const verification = { id: verificationId, purpose, verified: null }
  if (!row) return begin(tx, vault, { card: null, details, verification })
  const { card } = openContent(vault, row)
  return advanceOnboarding(tx, vault, row, { card, details, verification })
}

// For a start whose answer was lost: its data is replaced, so nothing of it is given away.
async function lockUnconfirmed(
  tx: Tx,
  vault: Vault,
  tokens: readonly string[],
): Promise<OnboardingRow | undefined> {
  const row = await lockSuperseded(tx, hashesOfTokens(tokens))
  const verification = row && openContent(vault, row).verification
  return verification && !verification.verified ? row : undefined
}

export interface LockedOnboarding {
  row: OnboardingRow
  content: OnboardingContent & { verification: NonNullable<OnboardingContent['verification']> }
}

// The id before counts when the code was typed already, since it has to be typed again with it: only the person with the
// phone can.
export async function lockRunning(
  tx: Tx,
  vault: Vault,
  tokens: readonly string[],
): Promise<LockedOnboarding | undefined> {
  const hashes = hashesOfTokens(tokens)
  const current = await lockOnboarding(tx, hashes)
  const row = current ?? (await lockSuperseded(tx, hashes))
  if (!row) return undefined
  const content = openContent(vault, row)
  const { verification } = content
  if (!verification || (!current && !verification.verified)) return undefined
  return { row, content: { ...content, verification } }
}
