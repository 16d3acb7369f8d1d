import type { Metrics } from '#app/metrics.ts'
import type { Runtime } from '#app/runtime.ts'
import type { WorkQueue } from '#base/work-queue.ts'
import type { IdentityService } from '#edge/member/identity-service.ts'
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
    queue,
    publicUrl,
  }: { metrics: Metrics; identity: IdentityProvider; queue: WorkQueue; publicUrl: string },
): MemberDeps {
  const guard = createGuard({ database, keys, log, metrics })
  const passwords = createPasswords()
  const vaulted = { database, keys }
  const party = relyingPartyOf(publicUrl)
  return {
    identity: identityService(identity),
    guard,
    enterWebView: createEnterWebView(database, queue),
    continueSession: createContinueSession(vaulted),
    leaveSession: createLeaveSession(database, queue),
    logIn: createLogIn({ ...vaulted, passwords, guard, metrics, queue }),
    onboarding: createOnboarding({ ...vaulted, queue }),
    openCardLink: createOpenCardLink({ ...vaulted, queue }),
    confirmOnboarding: createConfirmOnboarding({ ...vaulted, queue, metrics }),
    signUpMember: createSignUpMember({ ...vaulted, passwords, queue }),
    recoverAccount: createRecoverAccount({ ...vaulted, guard, passwords, queue }),
    beginVerification: createBeginVerification({ ...vaulted, queue }),
    findVerification: createFindVerification({ ...vaulted, queue }),
    recordProof: createRecordProof({ ...vaulted, queue }),
    codes: createCodeCount({ ...vaulted, queue, guard }),
    decideLink: createDecideLink(database),
    changePassword: createChangePassword({ ...vaulted, passwords, guard }),
    closeAccount: createCloseAccount({ ...vaulted, passwords, guard }),
    accountCare: createAccountCare(vaulted),
    passkeys: party && {
      party,
      login: createPasskeyLogin({ ...vaulted, guard, metrics, queue, log }, party),
      care: createPasskeyCare(vaulted, party),
    },
    checkCard: createCheckCard(vaulted),
    redeemGiftCard: createRedeemGiftCard({ ...vaulted, metrics }),
    statements: createStatements({ ...vaulted, guard, queue }),
    stopWithdrawal: createStopWithdrawal({ ...vaulted, guard, queue, log, metrics }),
  }
}

function identityService(provider: IdentityProvider): IdentityService {
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
