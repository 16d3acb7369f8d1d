import { assert } from '#base/assert.ts'
import type { Vault, VaultKeeper } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import { newId } from '#base/ids.ts'
import type { BatchMetrics } from '#base/metrics.ts'
import { createSealedWrite } from '#flows/kit/sealed-write.ts'
import type { PartnerUserMetrics } from '#flows/partner-users/metrics.ts'
import { traceIndex, tracePlace } from '#modules/members/signup-traces.ts'
import { insertSignups, type SealedSignup, type SignupAnswer } from '#modules/members/store.ts'
import type { Consent, Details, LinkId, MemberId, SignupOutcome } from '#modules/members/types.ts'

interface SignupCommand {
  partnerId: number
  // The key of a partner that issues its own; undefined if the service issues one.
  partnerKey: string | undefined
  ci: string
  details: Details
  consents: readonly Consent[]
  // The partner's own, to find the call again by.
  traceNo?: string
  // The API key's id, or `network` for a call without one.
  registeredBy: string
  // For the audit log.
  actor: string
}

export interface SignupDeps {
  database: Database
  keys: VaultKeeper
  metrics: BatchMetrics & PartnerUserMetrics
}

export type SignUpPartnerUser = (command: SignupCommand) => Promise<SignupOutcome>

interface Signup extends SignupCommand {
  userKey: string
  linkId: LinkId
  memberId: MemberId
  traceId: string
}

const MAX_BATCH = 128 // as with purchases: beyond that a batch only gets slower
const MAX_WAITING = 2_000 // under a second's work
const MAX_ALIKE = 200 // calls for one person that may wait, one to a batch: a storm of them leaves room for others
const RESEAL_TRIES = 3 // a second one only if the person's row changed hands in between

// Registers a person with a partner. One batch for all partners: people have no row in common, so none waits.
export function createSignUpPartnerUser(deps: SignupDeps): SignUpPartnerUser {
  const { database, keys, metrics } = deps
  const write = createSealedWrite<Signup, SealedSignup, SignupAnswer>({
    name: 'signup',
    metrics,
    keys,
    seal: sealSignup,
    write: (epoch, sealed) => insertSignups(database, epoch, sealed),
    maxSize: MAX_BATCH,
    maxInFlight: 2,
    overlapFrom: 16,
    maxWaiting: MAX_WAITING,
    // The same person again meets the row of the first call. By the CI itself: its hash changes with the keys.
    apartKey: ({ command }) => command.ci,
    maxAlike: MAX_ALIKE,
  })

  return async (command) => {
    const signup: Signup = {
      ...command,
      userKey: command.partnerKey ?? newId<'user key'>(),
      linkId: newId<'partner user'>(),
      memberId: newId<'member'>(),
      traceId: newId<'signup trace'>(),
    }
    for (let tries = 1; ; tries += 1) {
      const answer = await write(signup)
      if (answer.kind !== 'reseal') {
        metrics.signups.inc({ outcome: answer.kind === 'refused' ? answer.reason : answer.kind })
        return answer
      }
      assert(tries < RESEAL_TRIES, 'details sealed for the row that is there are taken')
      signup.linkId = answer.linkId
    }
  }
}

// Everything that costs time and needs no database, done before the signup joins its batch.
function sealSignup(vault: Vault, signup: Signup): SealedSignup & { epoch: number } {
  const { ci, linkId, memberId, registeredBy } = signup
  const { name, birthday, nationality, mdn, gender } = signup.details
  // Written out, so that the same details are the same text.
  const details = JSON.stringify({ name, birthday, nationality, mdn, gender })
  return {
    epoch: vault.epoch,
    partnerId: signup.partnerId,
    partnerKey: signup.userKey,
    custom: signup.partnerKey !== undefined,
    linkId,
    memberId,
    ci: vault.seal({ table: 'member', column: 'ci', row: memberId }, ci),
    ciHash: vault.indexes('ci', ci),
    details: vault.seal({ table: 'partner_user', column: 'details', row: linkId }, details),
    detailsHash: vault.indexes('details', details),
    registeredBy,
    actor: signup.actor,
    consents: signup.consents,
    trace: sealTrace(vault, signup),
  }
}

function sealTrace(vault: Vault, { partnerId, traceId, traceNo }: Signup): SealedSignup['trace'] {
  if (traceNo === undefined) return null
  return {
    id: traceId,
    value: vault.seal(tracePlace(traceId), traceNo),
    hash: vault.indexes(...traceIndex(partnerId, traceNo)),
  }
}
