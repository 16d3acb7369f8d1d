import type { Shared } from '#app/endpoints/shared.ts'
import { createWorkQueue } from '#base/queues/work-queue.ts'
import type { Register } from '#edge/http/types.ts'
import { registerAccount } from '#edge/member/account.ts'
import { registerAssets } from '#edge/member/assets.ts'
import { registerCards } from '#edge/member/cards.ts'
import { registerHistory } from '#edge/member/history.ts'
import { registerIdentity } from '#edge/member/identity.ts'
import type { IdentityService } from '#edge/member/identity-service.ts'
import { registerIssuedStatements } from '#edge/member/issued-statements.ts'
import { registerLinks } from '#edge/member/links.ts'
import { registerOnboarding } from '#edge/member/onboarding.ts'
import { registerOwnData } from '#edge/member/own-data.ts'
import { registerPasskeys } from '#edge/member/passkeys.ts'
import { registerPrices } from '#edge/member/prices.ts'
import { registerRefunds } from '#edge/member/refunds.ts'
import { registerMember } from '#edge/member/scope.ts'
import { registerSession } from '#edge/member/session.ts'
import { registerSignup } from '#edge/member/signup.ts'
import { registerStatements } from '#edge/member/statements.ts'
import { registerStop } from '#edge/member/stop.ts'
import { registerTrade } from '#edge/member/trade.ts'
import { registerWithdrawals } from '#edge/member/withdrawals.ts'
import { createChangePassword } from '#flows/accounts/change-password.ts'
import { createCloseAccount } from '#flows/accounts/close-account.ts'
import { createConfirmOnboarding } from '#flows/accounts/confirm-onboarding.ts'
import { createManageAccount } from '#flows/accounts/manage-account.ts'
import { createManagePasskeys } from '#flows/accounts/manage-passkeys.ts'
import { createOnboarding } from '#flows/accounts/onboarding.ts'
import { createExportOwnData, createPlanOwnErasure } from '#flows/accounts/own-data.ts'
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
import { createStatements } from '#flows/holdings/issue-statement.ts'
import { createReadActs, createReadHistory, createReadStatement } from '#flows/holdings/read-history.ts'
import { createReadHoldings } from '#flows/holdings/read-holdings.ts'
import { createDecideLink } from '#flows/partner-users/decide-link.ts'
import { createClaimRefund, createQuoteRefund } from '#flows/refunds/claim-refund.ts'
import { createExtendOwnCard } from '#flows/refunds/extend-own-card.ts'
import { createLogIn } from '#flows/sessions/log-in.ts'
import { createPasskeyLogin } from '#flows/sessions/log-in-with-passkey.ts'
import { createLogOut } from '#flows/sessions/log-out.ts'
import { createPlaceOrder } from '#flows/trading/place-order.ts'
import { createQuoteOrder } from '#flows/trading/quote-order.ts'
import { createFindEarlierRequest } from '#flows/withdrawals/find-earlier-request.ts'
import { createPrecheckWithdrawal, createRequestWithdrawal } from '#flows/withdrawals/request-withdrawal.ts'
import { createCancelWithdrawal } from '#flows/withdrawals/settle-withdrawal.ts'
import { createListWithdrawals } from '#flows/withdrawals/show-withdrawals.ts'
import { createStopWithdrawal } from '#flows/withdrawals/stop-withdrawal.ts'
import { createPasswords } from '#modules/accounts/password.ts'
import { createPriceBoard } from '#modules/pricing/board.ts'
import { PERSONAS } from '#providers/identity/personas.ts'
import type { IdentityProvider } from '#providers/identity/port.ts'
import { SIMULATED_CODE } from '#providers/identity/simulated.ts'

// Every endpoint of the members' own API. A file of routes names the flows it calls; all of them are made here.
export function memberEndpoints(shared: Shared): Register {
  const deps = memberDeps(shared)
  return (server) =>
    registerMember(server, deps, {
      both: [
        registerSession,
        registerIdentity,
        registerCards,
        registerRefunds,
        registerLinks,
        registerPrices,
        registerTrade,
        registerAssets,
        registerHistory,
        registerStatements,
      ],
      // Withdrawals need the member's own session: a bank pays to the name that the account was verified under.
      memberOnly: [
        registerWithdrawals,
        registerStop,
        registerIssuedStatements,
        registerOnboarding,
        registerSignup,
        registerAccount,
        registerOwnData,
        registerPasskeys,
      ],
    })
}

function memberDeps(shared: Shared) {
  const { http, database, keys, log, metrics, queue, party } = shared
  const { identity, accountHolder, today, operator, continueSession, guard } = shared
  const passwords = createPasswords(shared.passwordCost)
  const vaulted = { database, keys }
  return {
    ...http,
    metrics,
    today,
    operator,
    guard,
    identity: identityService(identity),
    // Asked outside any transaction.
    accountHolder,
    continueSession,
    logOut: createLogOut(database, queue),
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
    manageAccount: createManageAccount(vaulted),
    exportOwnData: createExportOwnData({ ...vaulted, queue: createWorkQueue({ maxInFlight: 1 }) }),
    planOwnErasure: createPlanOwnErasure(database),
    passkeys: party && {
      party,
      login: createPasskeyLogin({ ...vaulted, guard, metrics, queue, log }, party),
      manage: createManagePasskeys(vaulted, party),
    },
    checkCard: createCheckCard(vaulted),
    quoteRefund: createQuoteRefund(vaulted),
    claimRefund: createClaimRefund(vaulted),
    extendOwnCard: createExtendOwnCard(vaulted),
    redeemGiftCard: createRedeemGiftCard({ ...vaulted, metrics }),
    prices: createPriceBoard(database, queue),
    quoteOrder: createQuoteOrder({ database, metrics }),
    placeOrder: createPlaceOrder({ database, metrics }),
    readHoldings: createReadHoldings(database),
    readHistory: createReadHistory(vaulted),
    readActs: createReadActs(vaulted),
    readStatement: createReadStatement(database),
    statements: createStatements({ ...vaulted, guard, queue }),
    findEarlierRequest: createFindEarlierRequest(vaulted),
    precheckWithdrawal: createPrecheckWithdrawal({ ...vaulted, metrics }),
    requestWithdrawal: createRequestWithdrawal({ ...vaulted, metrics }),
    cancelWithdrawal: createCancelWithdrawal(vaulted),
    listWithdrawals: createListWithdrawals(vaulted),
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
