import type { Shared } from '#app/endpoints/shared.ts'
import { registerLists } from '#edge/console/lists.ts'
import { registerRoles } from '#edge/console/roles.ts'
import { registerConsole } from '#edge/console/scope.ts'
import { registerSession } from '#edge/console/session.ts'
import type { Register } from '#edge/http/types.ts'
import { createExportList } from '#flows/lists/export-list.ts'
import { createLists } from '#flows/lists/read-lists.ts'
import { createContinueStaff } from '#flows/staff/continue-staff.ts'
import { listPartnerCodes } from '#modules/partners/store.ts'

// Every endpoint of the console. A file of routes names the flows it calls; all of them are made here.
export function consoleEndpoints(shared: Shared): Register {
  const deps = consoleDeps(shared)
  return (server) => registerConsole(server, deps, [registerSession, registerRoles, registerLists])
}

function consoleDeps(shared: Shared) {
  const { http, database, keys } = shared
  const lists = createLists({ database, keys })
  return {
    ...http,
    continueStaff: createContinueStaff(database),
    lists,
    exportList: createExportList({ database, lists }),
    listPartnerCodes: (partnerId: number | null) => listPartnerCodes(database.db, partnerId),
  }
}
