import type { Runtime } from '#app/runtime.ts'
import type { Lane } from '#base/lane.ts'
import type { Metrics } from '#base/metrics.ts'
import type { IdentityDesk } from '#edge/member/desk.ts'
import type { EdgeDeps } from '#edge/types.ts'
import { createChangePassword } from '#flows/change-password.ts'
import { createCheckCard } from '#flows/check-card.ts'
import { createCloseAccount } from '#flows/close-account.ts'
import { createConfirmOnboarding } from '#flows/confirm-onboarding.ts'
import { createContinueSession } from '#flows/continue-session.ts'
import { createCodeCount } from '#flows/count-codes.ts'
import { createDecideLink } from '#flows/decide-link.ts'
import { createEnterWebView } from '#flows/enter-web-view.ts'
import { createGuard } from '#flows/guard-guesses.ts'
import { createStatements } from '#flows/issue-statement.ts'
import { createLeaveSession } from '#flows/leave-session.ts'
import { createLogIn } from '#flows/log-in.ts'
import { createPasskeyLogin } from '#flows/log-in-with-passkey.ts'
import { createAccountCare } from '#flows/look-after-account.ts'
import { createPasskeyCare } from '#flows/look-after-passkeys.ts'
import { createOnboarding } from '#flows/onboarding.ts'
import { createOpenCardLink } from '#flows/open-card-link.ts'
import { createRecoverAccount } from '#flows/recover-account.ts'
import { createRedeemGiftCard } from '#flows/redeem-gift-card.ts'
import { createSignUpMember } from '#flows/sign-up-member.ts'
import { createStopWithdrawal } from '#flows/stop-withdrawal.ts'
import { createBeginVerification, createFindVerification, createRecordProof } from '#flows/verify-identity.ts'
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
