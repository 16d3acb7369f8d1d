import type { Shared } from '#app/endpoints/shared.ts'
import type { Database } from '#base/db/db.ts'
import { registerDeliveryRetries } from '#edge/console/delivery-retries.ts'
import { registerLists } from '#edge/console/lists.ts'
import { registerOverview } from '#edge/console/overview.ts'
import { registerPriceActs } from '#edge/console/price-acts.ts'
import { registerConsolePrices } from '#edge/console/prices.ts'
import { registerProof } from '#edge/console/proof.ts'
import { registerRoles } from '#edge/console/roles.ts'
import { registerConsole } from '#edge/console/scope.ts'
import { registerSession } from '#edge/console/session.ts'
import { registerSignIn } from '#edge/console/sign-in.ts'
import type { Register } from '#edge/http/types.ts'
import { retryDelivery, startRetry, stopRetry } from '#flows/deliveries/retry-deliveries.ts'
import { createExportList } from '#flows/lists/export-list.ts'
import { createLists } from '#flows/lists/read-lists.ts'
import { createReadOverview } from '#flows/overview/read-overview.ts'
import { createContinueStaff } from '#flows/staff/continue-staff.ts'
import { createDemoSignIn } from '#flows/staff/demo-staff.ts'
import { createProveIdentity } from '#flows/staff/prove-identity.ts'
import { createStaffSignIn } from '#flows/staff/sign-in.ts'
import { createStaffPasskeySignIn } from '#flows/staff/sign-in-with-passkey.ts'
import { createStaffSignOut } from '#flows/staff/sign-out.ts'
import { changeTerms, requestPrice, stopOrResumeTrading } from '#flows/trading/change-trading.ts'
import { createPasswords } from '#modules/accounts/password.ts'
import { listRetries } from '#modules/deliveries/retries.ts'
import { readDays, readFailures, readPartnerFigures } from '#modules/figures/read.ts'
import { findPartner, listPartnerCodes } from '#modules/partners/store.ts'
import { readLastPrices, readMarket, readPriceHistory } from '#modules/pricing/store.ts'
import { listPricesByHand, listTerms } from '#modules/pricing/terms-history.ts'
import type { Metal, Period } from '#modules/pricing/types.ts'

// Every endpoint of the console. A file of routes names the flows it calls; all of them are made here.
export function consoleEndpoints(shared: Shared): Register {
  const deps = {
    ...shared.http,
    ...staffDeps(shared),
    ...overviewDeps(shared),
    ...priceDeps(shared),
    ...listDeps(shared),
  }
  return (server) =>
    registerConsole(server, deps, [
      registerSession,
      registerSignIn,
      registerProof,
      registerRoles,
      registerOverview,
      registerDeliveryRetries,
      registerConsolePrices,
      registerPriceActs,
      registerLists,
    ])
}

// Who may come in, and how they prove it.
function staffDeps({ config, database, keys, log, guard, queue, party }: Shared) {
  const vaulted = { database, keys }
  return {
    continueStaff: createContinueStaff(database),
    signOut: createStaffSignOut(database, queue),
    signIn: createStaffSignIn({ ...vaulted, passwords: createPasswords(), guard, queue }),
    staffPasskeys: party && {
      party,
      signIn: createStaffPasskeySignIn({ database, guard, queue, log }, party),
    },
    prove: createProveIdentity({ ...vaulted, guard, queue }, party),
    // Its sign-in asks for nothing: never in live.
    demo: config.mode === 'sandbox' ? createDemoSignIn(database) : undefined,
  }
}

function overviewDeps({ database, readMetrics }: Shared) {
  return {
    readOverview: createReadOverview({ database, readMetrics }),
    readDays: (days: number, partnerId: number | null) => readDays(database, { days, partnerId }),
    readPartnerFigures: (days: number) => readPartnerFigures(database, days),
    findPartnerId: async (code: string) => (await findPartner(database.db, code))?.id,
    readFailures: (days: number) => readFailures(database, days),
    listRetries: () => listRetries(database),
    retryDelivery: bound(database, retryDelivery),
    startRetry: bound(database, startRetry),
    stopRetry: bound(database, stopRetry),
  }
}

function priceDeps({ database }: Shared) {
  return {
    readMarket: () => readMarket(database),
    readLastPrices: () => readLastPrices(database),
    readPriceHistory: (metal: Metal, period: Period) => readPriceHistory(database, metal, period),
    listTerms: (metal: Metal, limit: number) => listTerms(database, metal, limit),
    listPricesByHand: (metal: Metal, limit: number) => listPricesByHand(database, metal, limit),
    changeTerms: bound(database, changeTerms),
    requestPrice: bound(database, requestPrice),
    stopOrResumeTrading: bound(database, stopOrResumeTrading),
  }
}

// A flow with its database.
function bound<Command, Outcome>(
  database: Database,
  flow: (database: Database, command: Command) => Promise<Outcome>,
) {
  return (command: Command) => flow(database, command)
}

function listDeps({ database, keys }: Shared) {
  const lists = createLists({ database, keys })
  return {
    lists,
    exportList: createExportList({ database, lists }),
    listPartnerCodes: (partnerId: number | null) => listPartnerCodes(database.db, partnerId),
  }
}
