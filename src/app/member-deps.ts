import type { Metrics } from '#app/metrics.ts'
import type { Runtime } from '#app/runtime.ts'
import type { Lane } from '#base/work-queue.ts'
import type { IdentityDesk } from '#edge/member/identity-service.ts'
import type { EdgeDeps } from '#edge/types.ts'
import { createChangePassword } from '#flows/accounts/change-password.ts'
import { createCloseAccount } from '#flows/accounts/close-account.ts'
import { createConfirmOnboarding } from '#flows/accounts/confirm-onboarding.ts'
import { createAccountCare } from '#flows/accounts/manage-account.ts'
import { createPasskeyCare } from '#flows/accounts/manage-passkeys.ts'
import { createOnboarding } from '#flows/accounts/onboarding.ts'
import { createRecoverAccount } from '#flows/accounts/recover-account.ts'
import { createSignUpMember } from '#flows/accounts/sign-up-member.ts'
import {
  createBeginVerification,
  createFindVerification,
  createRecordProof,
} from '#flows/accounts/verify-identity.ts'
import { createCheckCard } from '#flows/gift-cards/check-card.ts'
import { createOpenCardLink } from '#flows/gift-cards/open-card-link.ts'
import { createRedeemGiftCard } from '#flows/gift-cards/redeem-gift-card.ts'
import { createCodeCount } from '#flows/guesses/count-codes.ts'
import { createGuard } from '#flows/guesses/guard-guesses.ts'
import { createStatements } from '#flows/holdings/issue-statement.ts'
import { createDecideLink } from '#flows/partner-users/decide-link.ts'
import { createContinueSession } from '#flows/sessions/continue-session.ts'
import { createEnterWebView } from '#flows/sessions/enter-web-view.ts'
import { createLogIn } from '#flows/sessions/log-in.ts'
import { createPasskeyLogin } from '#flows/sessions/log-in-with-passkey.ts'
import { createLeaveSession } from '#flows/sessions/log-out.ts'
import { createStopWithdrawal } from '#flows/withdrawals/stop-withdrawal.ts'
import { createPasswords } from '#modules/accounts/password.ts'
import { relyingPartyOf } from '#modules/passkeys/rules.ts'
import { PERSONAS } from '#providers/identity/personas.ts'
import type { IdentityProvider } from '#providers/identity/port.ts'
import { SIMULATED_CODE } from '#providers/identity/simulated.ts'

type MemberDeps = Pick<
  EdgeDeps,
  | 'identity'
  | 'guard'
  | 'enterWebView'
  | 'continueSession'
  | 'leaveSession'
  | 'logIn'
  | 'onboarding'
  | 'openCardLink'
  | 'confirmOnboarding'
  | 'signUpMember'
  | 'recoverAccount'
  | 'beginVerification'
  | 'findVerification'
  | 'recordProof'
  | 'codes'
  | 'decideLink'
  | 'changePassword'
  | 'closeAccount'
  | 'accountCare'
  | 'passkeys'
  | 'checkCard'
  | 'redeemGiftCard'
  | 'stopWithdrawal'
  | 'statements'
>

// What the member's side and the web view are handed.
export function memberDeps(
  { database, keys, log }: Pick<Runtime, 'database' | 'keys' | 'log'>,
  {
    metrics,
    identity,
    lane,
    publicUrl,
  }: { metrics: Metrics; identity: IdentityProvider; lane: Lane; publicUrl: string },
): MemberDeps {
  const guard = createGuard({ database, keys, log, metrics })
  const passwords = createPasswords()
  const vaulted = { database, keys }
  const party = relyingPartyOf(publicUrl)
  return {
    identity: deskOf(identity),
    guard,
    enterWebView: createEnterWebView(database, lane),
    continueSession: createContinueSession(vaulted),
    leaveSession: createLeaveSession(database, lane),
    logIn: createLogIn({ ...vaulted, passwords, guard, metrics, lane }),
    onboarding: createOnboarding({ ...vaulted, lane }),
    openCardLink: createOpenCardLink({ ...vaulted, lane }),
    confirmOnboarding: createConfirmOnboarding({ ...vaulted, lane, metrics }),
    signUpMember: createSignUpMember({ ...vaulted, passwords, lane }),
    recoverAccount: createRecoverAccount({ ...vaulted, guard, passwords, lane }),
    beginVerification: createBeginVerification({ ...vaulted, lane }),
    findVerification: createFindVerification({ ...vaulted, lane }),
    recordProof: createRecordProof({ ...vaulted, lane }),
    codes: createCodeCount({ ...vaulted, lane, guard }),
    decideLink: createDecideLink(database),
    changePassword: createChangePassword({ ...vaulted, passwords, guard }),
    closeAccount: createCloseAccount({ ...vaulted, passwords, guard }),
    accountCare: createAccountCare(vaulted),
    passkeys: party && {
      party,
      login: createPasskeyLogin({ ...vaulted, guard, metrics, lane, log }, party),
      care: createPasskeyCare(vaulted, party),
    },
    checkCard: createCheckCard(vaulted),
    redeemGiftCard: createRedeemGiftCard({ ...vaulted, metrics }),
    statements: createStatements({ ...vaulted, guard, lane }),
    stopWithdrawal: createStopWithdrawal({ ...vaulted, guard, lane, log, metrics }),
  }
}

function deskOf(provider: IdentityProvider): IdentityDesk {
  if (provider.name !== 'simulated') return { provider, sandboxCode: null, personas: [] }
  const personas = PERSONAS.map(({ name, birthday, gender, mdn, carrier, note }) => ({
    name,
    birthday,
    gender,
    mdn,
    carrier,
    note,
  }))
  return { provider, sandboxCode: SIMULATED_CODE, personas }
}
