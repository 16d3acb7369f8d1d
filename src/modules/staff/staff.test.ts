import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isAllowed,
  isPartnerRole,
  PERMISSIONS,
  type Permission,
  permissionsOf,
  ROLES,
} from './permissions.ts'
import { parseEmail, parseName } from './rules.ts'

const EMAILS: [typed: string, email: string | undefined][] = [
  ['Kim@Ingot.Example', 'kim@ingot.example'],
  [' kim+ops@ingot.example ', 'kim+ops@ingot.example'],
  ['kim', undefined],
  ['kim@', undefined],
  ['@ingot.example', undefined],
  ['kim@ingot example', undefined],
  ['kim@ingot.example\nbcc: x', undefined],
  ['김@ingot.example', undefined],
  [`${'k'.repeat(65)}@ingot.example`, undefined],
  [`k@${'i'.repeat(260)}`, undefined],
]
for (const [typed, email] of EMAILS)
  test(`email ${JSON.stringify(typed)}: ${email}`, () => assert.equal(parseEmail(typed), email))

test('a name is one clean line', () => {
  assert.equal(parseName(' 김운영 '), '김운영')
  for (const bad of ['', '  ', 'a\u0000b', 'x'.repeat(101)]) assert.equal(parseName(bad), undefined)
})

test('only an admin changes staff, and nobody of a partner decides or reveals', () => {
  const never: Permission[] = [
    'staff.change',
    'approvals.decide',
    'members.reveal',
    'audit.read',
    'withdrawals.settle',
  ]
  for (const role of ROLES.filter(isPartnerRole)) {
    assert.deepEqual(
      permissionsOf(role).filter((permission) => never.includes(permission)),
      [],
      role,
    )
  }
  assert.deepEqual(
    ROLES.filter((role) => isAllowed(role, 'staff.change')),
    ['admin'],
  )
  assert.deepEqual(
    PERMISSIONS.filter((permission) => !isAllowed('admin', permission)),
    [],
  )
})
