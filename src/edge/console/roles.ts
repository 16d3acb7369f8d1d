import { refusals } from '#edge/http/error-answers.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { Server } from '#edge/http/types.ts'
import { isAllowed, isPartnerRole, PERMISSIONS, ROLES } from '#modules/staff/permissions.ts'
import type { ConsoleAccess } from './access.ts'
import { STAFF_ONLY } from './refusal-lists.ts'

export const ROLE = choice('Role', ROLES)
export const PERMISSION = choice('Permission', PERMISSIONS)

const RolesAnswer = object(
  'Roles',
  {
    roles: Type.Array(
      object('RoleSummary', {
        role: ROLE,
        ofPartner: Type.Boolean({ description: 'Sees what belongs to one partner only.' }),
      }),
    ),
    permissions: Type.Array(
      object('PermissionRow', {
        permission: PERMISSION,
        roles: Type.Array(ROLE, { description: 'The roles that have it.' }),
      }),
    ),
  },
  { description: 'The matrix of roles: the table that every route is checked against.' },
)

const SCHEMA = {
  operationId: 'roles',
  summary: 'What each role may do',
  tags: ['Staff'],
  response: { 200: RolesAnswer, ...refusals(...STAFF_ONLY) },
}

// Shows the very table that requests are checked against.
export function registerRoles(scope: Server, _deps: unknown, access: ConsoleAccess): void {
  scope.get('/roles', { ...access.may('staff.read', 'operator'), schema: SCHEMA }, async () => ({
    roles: ROLES.map((role) => ({ role, ofPartner: isPartnerRole(role) })),
    permissions: PERMISSIONS.map((permission) => ({
      permission,
      roles: ROLES.filter((role) => isAllowed(role, permission)),
    })),
  }))
}
