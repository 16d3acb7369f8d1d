import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import type { Database } from '#base/db/db.ts'
import * as approvals from '#flows/approvals/decide-change.ts'
import * as templates from '#flows/deliveries/set-message-template.ts'
import * as redeem from '#flows/gift-cards/redeem-for-user.ts'
import * as adjust from '#flows/holdings/adjust-holding.ts'
import * as grant from '#flows/holdings/grant-assets.ts'
import * as clock from '#flows/installation/advance-clock.ts'
import * as rotation from '#flows/installation/rotate-keys.ts'
import * as freezes from '#flows/members/freeze-member.ts'
import * as showUsers from '#flows/partner-users/show-user.ts'
import * as suspend from '#flows/partner-users/suspend-user.ts'
import * as payments from '#flows/partners/book-payment.ts'
import * as partners from '#flows/partners/change-partner.ts'
import * as issue from '#flows/partners/issue-api-key.ts'
import * as register from '#flows/partners/register-partner.ts'
import * as revoke from '#flows/partners/revoke-api-key.ts'
import * as trading from '#flows/trading/change-trading.ts'
import * as withdrawals from '#flows/withdrawals/show-withdrawals.ts'

type Granted<Outcome> = Exclude<Outcome, { kind: 'refused' }>

function granted<Outcome extends { kind: string }>(outcome: Outcome): Granted<Outcome> {
  assert.notEqual(outcome.kind, 'refused', inspect(outcome, { breakLength: Number.POSITIVE_INFINITY }))
  return outcome as Granted<Outcome>
}

function grantedBy<Args extends unknown[], Outcome extends { kind: string }>(
  flow: (...args: Args) => Promise<Outcome>,
) {
  return async (...args: Args) => granted(await flow(...args))
}

// An operator's flows as a test sets its scene with them: a refusal is thrown, with its reason and its facts.
export const decideChange = grantedBy(approvals.decideChange)
export const setMessageTemplate = grantedBy(templates.setMessageTemplate)
export const redeemForUser = grantedBy(redeem.redeemForUser)
export const grantAssets = grantedBy(grant.grantAssets)
export const requestAdjustment = grantedBy(adjust.requestAdjustment)
export const advanceClock = grantedBy(clock.advanceClock)
export const rotateKeys = grantedBy(rotation.rotateKeys)
export const resumeRotation = grantedBy(rotation.resumeRotation)
export const freezeMember = grantedBy(freezes.freezeMember)
export const thawMember = grantedBy(freezes.thawMember)
export const showUser = grantedBy(showUsers.showUser)
export const findByTrace = grantedBy(showUsers.findByTrace)
export const setUserStatusOf = grantedBy(suspend.setUserStatusOf)
export const requestPayment = grantedBy(payments.requestPayment)
export const requestReversal = grantedBy(payments.requestReversal)
export const changePartner = grantedBy(partners.changePartner)
export const issueApiKey = grantedBy(issue.issueApiKey)
// With the credit that it is told, in live too.
export const registerPartner = (
  database: Database,
  command: Omit<Parameters<typeof register.registerPartner>[1], 'creditOfOne'>,
) => register.registerPartner(database, { creditOfOne: command.terms.creditLimit, ...command }).then(granted)
export const revokeApiKey = grantedBy(revoke.revokeApiKey)
export const changeTerms = grantedBy(trading.changeTerms)
export const requestPrice = grantedBy(trading.requestPrice)
export const revealDestination = grantedBy(withdrawals.revealDestination)
