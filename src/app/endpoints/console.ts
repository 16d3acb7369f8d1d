import type { Shared } from '#app/endpoints/shared.ts'
import { createWorkQueue } from '#base/queues/work-queue.ts'
import { registerLists } from '#edge/console/lists.ts'
import { registerProof } from '#edge/console/proof.ts'
import { registerRoles } from '#edge/console/roles.ts'
import { registerConsole } from '#edge/console/scope.ts'
import { registerSearch } from '#edge/console/search.ts'
import { registerSession } from '#edge/console/session.ts'
import { registerSignIn } from '#edge/console/sign-in.ts'
import type { Register } from '#edge/http/types.ts'
import { createExportList } from '#flows/lists/export-list.ts'
import { createLists } from '#flows/lists/read-lists.ts'
import { createSearch } from '#flows/lists/search.ts'
import { createContinueStaff } from '#flows/staff/continue-staff.ts'
import { createDemoSignIn } from '#flows/staff/demo-staff.ts'
import { createProveIdentity } from '#flows/staff/prove-identity.ts'
import { createStaffSignIn } from '#flows/staff/sign-in.ts'
import { createStaffPasskeySignIn } from '#flows/staff/sign-in-with-passkey.ts'
import { createStaffSignOut } from '#flows/staff/sign-out.ts'
import { createPasswords } from '#modules/accounts/password.ts'
import { listPartnerCodes } from '#modules/partners/store.ts'

// Every endpoint of the console. A file of routes names the flows it calls; all of them are made here.
export function consoleEndpoints(shared: Shared): Register {
  const deps = { ...shared.http, ...staffDeps(shared), ...listDeps(shared) }
  return (server) =>
    registerConsole(server, deps, [
      registerSession,
      registerSignIn,
      registerProof,
      registerRoles,
      registerLists,
      registerSearch,
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

function listDeps({ database, keys }: Shared) {
  const lists = createLists({ database, keys })
  return {
    lists,
    search: createSearch({ database, keys }, createWorkQueue()),
    exportList: createExportList({ database, lists }),
    listPartnerCodes: (partnerId: number | null) => listPartnerCodes(database.db, partnerId),
  }
}
