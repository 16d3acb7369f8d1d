import { bookDeps } from '#app/endpoints/console/books.ts'
import { overviewDeps } from '#app/endpoints/console/overview.ts'
import { priceDeps } from '#app/endpoints/console/prices.ts'
import { refundDeps } from '#app/endpoints/console/refunds.ts'
import { reportDeps } from '#app/endpoints/console/reports.ts'
import { settlementDeps } from '#app/endpoints/console/settlement.ts'
import type { Shared } from '#app/endpoints/shared.ts'
import type { VaultKeeper } from '#base/crypto/vault.ts'
import { createWorkQueue } from '#base/queues/work-queue.ts'
import { registerOwnAccount } from '#edge/console/account.ts'
import { registerAdjustments } from '#edge/console/adjustments.ts'
import { registerApprovals } from '#edge/console/approvals.ts'
import { type AuditDeps, registerAudit } from '#edge/console/audit.ts'
import { registerBankFile } from '#edge/console/bank-file.ts'
import { registerBilling } from '#edge/console/billing.ts'
import { registerBooks } from '#edge/console/books.ts'
import { registerBullion } from '#edge/console/bullion.ts'
import { registerCards } from '#edge/console/cards.ts'
import { registerDelivery } from '#edge/console/delivery.ts'
import { registerDeliveryRetries } from '#edge/console/delivery-retries.ts'
import { registerKeys } from '#edge/console/keys.ts'
import { registerLists } from '#edge/console/lists.ts'
import { registerMemberData } from '#edge/console/member-data.ts'
import { registerMembers } from '#edge/console/members.ts'
import { registerMonthEnd } from '#edge/console/month-end.ts'
import { registerOrders } from '#edge/console/orders.ts'
import { registerOverview } from '#edge/console/overview.ts'
import { registerPartnerContacts } from '#edge/console/partner-contacts.ts'
import { registerPartners } from '#edge/console/partners.ts'
import { registerPayments } from '#edge/console/payments.ts'
import { registerPriceActs } from '#edge/console/price-acts.ts'
import { registerConsolePrices } from '#edge/console/prices.ts'
import { registerProof } from '#edge/console/proof.ts'
import { registerRefunds } from '#edge/console/refunds.ts'
import { registerReports } from '#edge/console/reports.ts'
import { registerRequests } from '#edge/console/requests.ts'
import { registerRoles } from '#edge/console/roles.ts'
import { registerConsole } from '#edge/console/scope.ts'
import { registerSearch } from '#edge/console/search.ts'
import { registerSession } from '#edge/console/session.ts'
import { registerSignIn } from '#edge/console/sign-in.ts'
import { registerSignOn } from '#edge/console/sign-on.ts'
import { registerStaff } from '#edge/console/staff.ts'
import { registerStatements } from '#edge/console/statements.ts'
import { registerUsers } from '#edge/console/users.ts'
import { registerWelcome } from '#edge/console/welcome.ts'
import { registerWithdrawals } from '#edge/console/withdrawals.ts'
import type { Register } from '#edge/http/types.ts'
import { type DecideCommand, decideChange } from '#flows/approvals/decide-change.ts'
import { describeChain } from '#flows/audit/describe-chain.ts'
import { eraseEntry } from '#flows/audit/erase-private.ts'
import { revealEntry } from '#flows/audit/reveal-entry.ts'
import { setMessageTemplate } from '#flows/deliveries/set-message-template.ts'
import { createShowDelivery } from '#flows/deliveries/show-delivery.ts'
import { previewResend, previewVoid } from '#flows/gift-cards/preview-card.ts'
import { createResendCard } from '#flows/gift-cards/resend-card.ts'
import { revealCancelReason } from '#flows/gift-cards/reveal-cancel-reason.ts'
import { createShowCard } from '#flows/gift-cards/show-card.ts'
import { voidCard } from '#flows/gift-cards/void-card.ts'
import { createListGuessesOf } from '#flows/guesses/list-guesses-of.ts'
import { type AdjustCommand, requestAdjustment } from '#flows/holdings/adjust-holding.ts'
import { createExportList } from '#flows/lists/export-list.ts'
import { createLists } from '#flows/lists/read-lists.ts'
import { createSearch } from '#flows/lists/search.ts'
import { distrustDevices, endMemberSessions } from '#flows/members/end-access.ts'
import { eraseMember } from '#flows/members/erase-member.ts'
import { type ExportCommand, exportMember } from '#flows/members/export-member.ts'
import { freezeMember, thawMember } from '#flows/members/freeze-member.ts'
import { createMemberPages } from '#flows/members/member-page.ts'
import { showMember } from '#flows/members/show-member.ts'
import { showUser } from '#flows/partner-users/show-user.ts'
import { setUserStatusOf } from '#flows/partner-users/suspend-user.ts'
import { createUserPages } from '#flows/partner-users/user-page.ts'
import { changePartner } from '#flows/partners/change-partner.ts'
import { createPartnerContacts } from '#flows/partners/contacts.ts'
import { issueApiKey } from '#flows/partners/issue-api-key.ts'
import { createPartnerPages } from '#flows/partners/partner-page.ts'
import { registerPartner } from '#flows/partners/register-partner.ts'
import { revokeApiKey } from '#flows/partners/revoke-api-key.ts'
import { rotateApiKey } from '#flows/partners/rotate-api-key.ts'
import { createShowRequest } from '#flows/requests/show-request.ts'
import { createContinueStaff } from '#flows/staff/continue-staff.ts'
import { createDemoSignIn } from '#flows/staff/demo-staff.ts'
import { createOwnAccount } from '#flows/staff/own-account.ts'
import { createProveIdentity } from '#flows/staff/prove-identity.ts'
import { createStaffSignIn } from '#flows/staff/sign-in.ts'
import { createSignInByProvider } from '#flows/staff/sign-in-by-provider.ts'
import { createStaffPasskeySignIn } from '#flows/staff/sign-in-with-passkey.ts'
import { createStaffSignOut } from '#flows/staff/sign-out.ts'
import { createStaffActs } from '#flows/staff/staff-acts.ts'
import { createWelcome } from '#flows/staff/welcome.ts'
import { createShowOrder } from '#flows/trading/show-order.ts'
import { type SettleCommand, settleWithdrawal } from '#flows/withdrawals/settle-withdrawal.ts'
import { revealDestination, showWithdrawalPage } from '#flows/withdrawals/show-withdrawals.ts'
import { createPasswords } from '#modules/accounts/password.ts'
import { countWaiting, findRequest, listDecided, listWaiting } from '#modules/approvals/store.ts'
import { CHANGE_KINDS } from '#modules/approvals/types.ts'
import { findEntry } from '#modules/audit/list.ts'
import { listPartnerCodes } from '#modules/partners/store.ts'
import { countOpenWithdrawals, listWithdrawals } from '#modules/withdrawals/store.ts'
import { createOidc } from '#providers/single-sign-on/oidc.ts'

// Every endpoint of the console. A file of routes names the flows it calls; all of them are made here.
export function consoleEndpoints(shared: Shared): Register {
  const deps = {
    ...shared.http,
    ...staffDeps(shared),
    ...overviewDeps(shared),
    ...priceDeps(shared),
    ...listDeps(shared),
    ...auditDeps(shared),
    ...pageDeps(shared),
    ...actDeps(shared),
    ...approvalDeps(shared),
    ...refundDeps(shared),
    ...reportDeps(shared),
    ...bookDeps(shared),
    ...settlementDeps(shared),
  }
  return (server) =>
    registerConsole(server, deps, [
      registerSession,
      registerSignIn,
      registerSignOn,
      registerWelcome,
      registerProof,
      registerOwnAccount,
      registerStaff,
      registerRoles,
      registerOverview,
      registerDeliveryRetries,
      registerConsolePrices,
      registerPriceActs,
      registerLists,
      registerSearch,
      registerRequests,
      registerAudit,
      registerCards,
      registerMembers,
      registerMemberData,
      registerPartners,
      registerPartnerContacts,
      registerKeys,
      registerUsers,
      registerOrders,
      registerDelivery,
      registerApprovals,
      registerAdjustments,
      registerPayments,
      registerBilling,
      registerRefunds,
      registerReports,
      registerWithdrawals,
      registerStatements,
      registerBankFile,
      registerMonthEnd,
      registerBooks,
      registerBullion,
    ])
}

// Who may come in, and how they prove it.
function staffDeps({ config, database, keys, log, guard, queue, party, passwordCost }: Shared) {
  const vaulted = { database, keys }
  // Not the members' own: a storm of their log-ins must not keep staff out.
  const passwords = createPasswords(passwordCost)
  return {
    continueStaff: createContinueStaff(database, config.approvals),
    signOut: createStaffSignOut(database, queue),
    signIn: createStaffSignIn({ ...vaulted, passwords, guard, queue }),
    staffPasskeys: party && {
      party,
      signIn: createStaffPasskeySignIn({ database, guard, queue, log }, party),
    },
    welcome: createWelcome({ ...vaulted, passwords, queue }, party),
    signOn: config.singleSignOn && {
      provider: createOidc({
        ...config.singleSignOn,
        onFailure: (reason) => log.warn('single sign-on failed', { reason }),
      }),
      signIn: createSignInByProvider(database, queue),
    },
    staffActs: createStaffActs(database),
    account: createOwnAccount({ ...vaulted, passwords, issuer: config.singleSignOn?.issuer }, party),
    prove: createProveIdentity({ ...vaulted, guard, queue }, party),
    // Its sign-in asks for nothing: never in live.
    demo: config.mode === 'sandbox' ? createDemoSignIn(database) : undefined,
  }
}

function listDeps({ database, keys }: Shared) {
  const lists = createLists({ database, keys })
  return {
    lists,
    search: createSearch({ database, keys }, createWorkQueue()),
    exportList: createExportList({ database, lists }),
    listPartnerCodes: (partnerId: number | null) => listPartnerCodes(database.db, partnerId),
  }
}

function auditDeps({ database, keys }: Shared): AuditDeps & { keys: VaultKeeper } {
  return {
    keys,
    audit: {
      describe: () => describeChain(database.db),
      find: (id) => findEntry(database.db, id),
      reveal: (act) => revealEntry({ database, keys }, act),
      erase: (act) => eraseEntry(database, act),
    },
  }
}

// The pages of single objects.
function pageDeps({ database, keys, messaging }: Shared) {
  const vaulted = { database, keys }
  return {
    showCard: createShowCard(vaulted),
    memberPages: createMemberPages(vaulted),
    guessesOf: createListGuessesOf(vaulted),
    partnerPages: createPartnerPages(vaulted),
    userPages: createUserPages(vaulted),
    showOrder: createShowOrder(vaulted),
    showRequest: createShowRequest(database),
    showDelivery: createShowDelivery({ ...vaulted, imprint: messaging.imprint }),
  }
}

type Command<Flow extends (database: never, command: never) => unknown> = Parameters<Flow>[1]

// What one person may do to them: the flows of the command line.
function actDeps({ config, database, keys }: Shared) {
  const vaulted = { database, keys }
  // One at a time: each reads years of a person.
  const exports = createWorkQueue({ maxInFlight: 1 })
  return {
    previewResend: (card: Parameters<typeof previewResend>[1]) => previewResend(database.db, card),
    resendCard: createResendCard(database),
    previewVoid: (card: Parameters<typeof previewVoid>[1]) => previewVoid(database.db, card),
    voidCard: (command: Omit<Command<typeof voidCard>, 'approvalFrom'>) =>
      voidCard(database, { ...command, approvalFrom: config.approvals.voidFrom }),
    voidApprovalFrom: () => config.approvals.voidFrom,
    revealCancelReason: (command: Parameters<typeof revealCancelReason>[2]) =>
      revealCancelReason(database, keys.vault(), command),
    revealMember: (command: Parameters<typeof showMember>[1]) => showMember(vaulted, command),
    freezeMember: (command: Command<typeof freezeMember>) => freezeMember(database, command),
    thawMember: (command: Command<typeof thawMember>) => thawMember(database, command),
    exportMember: (command: ExportCommand) => exportMember({ ...vaulted, queue: exports }, command),
    eraseMember: (command: Command<typeof eraseMember>) => eraseMember(database, command),
    endSessions: (command: Command<typeof endMemberSessions>) => endMemberSessions(database, command),
    distrustDevices: (command: Command<typeof distrustDevices>) => distrustDevices(database, command),
    setUserStatus: (command: Command<typeof setUserStatusOf>) => setUserStatusOf(database, command),
    revealUser: (command: Parameters<typeof showUser>[2]) => showUser(database, keys.vault(), command),
    changePartner: (command: Command<typeof changePartner>) => changePartner(database, command),
    partnerContacts: createPartnerContacts(vaulted),
    registerPartner: (command: Command<typeof registerPartner>) => registerPartner(database, command),
    issueApiKey: (command: Command<typeof issueApiKey>) => issueApiKey(database, command),
    rotateApiKey: (command: Command<typeof rotateApiKey>) => rotateApiKey(database, command),
    revokeApiKey: (command: Command<typeof revokeApiKey>) => revokeApiKey(database, command),
    setMessageTemplate: (command: Command<typeof setMessageTemplate>) =>
      setMessageTemplate(database, command),
  }
}

const OPEN_WITHDRAWALS = 500 // more would not be read

// What takes two people.
function approvalDeps({ database, keys }: Shared) {
  const { db } = database
  return {
    listWaitingRequests: () => listWaiting(db, CHANGE_KINDS),
    listDecidedRequests: (page: Parameters<typeof listDecided>[1]) => listDecided(db, page),
    countWaitingRequests: () => countWaiting(db),
    findRequest: (id: string) => findRequest(db, id),
    decideChange: (command: DecideCommand) => decideChange(database, command),
    requestAdjustment: (command: AdjustCommand) => requestAdjustment(database, command),
    listOpenWithdrawals: () => listWithdrawals(db, undefined, OPEN_WITHDRAWALS),
    countOpenWithdrawals: async () =>
      (await countOpenWithdrawals(database)).reduce((sum, { count }) => sum + count, 0),
    showWithdrawalPage: (question: Parameters<typeof showWithdrawalPage>[2]) =>
      showWithdrawalPage(database, keys.vault(), question),
    settleWithdrawal: (command: SettleCommand) => settleWithdrawal(database, command),
    revealDestination: (command: Parameters<typeof revealDestination>[2]) =>
      revealDestination(database, keys.vault(), command),
  }
}
