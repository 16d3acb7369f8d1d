import type { Shared } from '#app/endpoints/shared.ts'
import { registerAdjustments } from '#edge/console/adjustments.ts'
import { registerApprovals } from '#edge/console/approvals.ts'
import { registerRoles } from '#edge/console/roles.ts'
import { registerConsole } from '#edge/console/scope.ts'
import { registerSession } from '#edge/console/session.ts'
import { registerWithdrawals } from '#edge/console/withdrawals.ts'
import type { Register } from '#edge/http/types.ts'
import { type DecideCommand, decideChange } from '#flows/approvals/decide-change.ts'
import { type AdjustCommand, requestAdjustment } from '#flows/holdings/adjust-holding.ts'
import { createContinueStaff } from '#flows/staff/continue-staff.ts'
import { type SettleCommand, settleWithdrawal } from '#flows/withdrawals/settle-withdrawal.ts'
import { revealDestination, showWithdrawalPage } from '#flows/withdrawals/show-withdrawals.ts'
import { countWaiting, findRequest, listDecided, listWaiting } from '#modules/approvals/store.ts'
import { CHANGE_KINDS } from '#modules/approvals/types.ts'
import { countOpenWithdrawals, listWithdrawals } from '#modules/withdrawals/store.ts'

// Every endpoint of the console. A file of routes names the flows it calls; all of them are made here.
export function consoleEndpoints(shared: Shared): Register {
  const deps = consoleDeps(shared)
  return (server) =>
    registerConsole(server, deps, [
      registerSession,
      registerRoles,
      registerApprovals,
      registerAdjustments,
      registerWithdrawals,
    ])
}

function consoleDeps(shared: Shared) {
  const { http, database, config } = shared
  return {
    ...http,
    continueStaff: createContinueStaff(database, config.approvals),
    ...approvalDeps(shared),
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
    showWithdrawalPage: (id: string) => showWithdrawalPage(database, keys.vault(), id),
    settleWithdrawal: (command: SettleCommand) => settleWithdrawal(database, command),
    revealDestination: (command: Parameters<typeof revealDestination>[2]) =>
      revealDestination(database, keys.vault(), command),
  }
}
