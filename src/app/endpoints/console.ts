import type { Shared } from '#app/endpoints/shared.ts'
import { registerRoles } from '#edge/console/roles.ts'
import { registerConsole } from '#edge/console/scope.ts'
import { registerSession } from '#edge/console/session.ts'
import type { Register } from '#edge/http/types.ts'

// Every endpoint of the console. A file of routes names the flows it calls; all of them are made here.
export function consoleEndpoints(shared: Shared): Register {
  const deps = consoleDeps(shared)
  return (server) => registerConsole(server, deps, [registerSession, registerRoles])
}

function consoleDeps(shared: Shared) {
  const { http } = shared
  return {
    ...http,
    // Nobody has an account yet.
    continueStaff: async () => undefined,
  }
}
