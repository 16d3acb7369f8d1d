import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Origin } from '#base/origin.ts'
import { compareOrigins } from './rules.ts'

const NOTHING: Origin = {
  machine: null,
  boot: null,
  userNamespace: null,
  uid: null,
  loginUid: null,
  sudoUid: null,
  terminal: null,
}
const HERE = { ...NOTHING, machine: 'm', boot: 'b', userNamespace: 'u' }
const mina = { ...HERE, uid: 1001, loginUid: 1001, terminal: 'pid:1 400 1' }
const juno = { ...HERE, uid: 1002, loginUid: 1002, terminal: 'pid:1 500 2' }

// The maker, the checker, and what the machine can say of the two.
for (const [what, maker, checker, kind, by] of [
  ['two people, each logged in', mina, juno, 'apart', 'login'],
  ['su to the second account', mina, { ...juno, loginUid: 1001 }, 'same', 'login'],
  ['sudo to the second account', mina, { ...juno, loginUid: null, sudoUid: 1001 }, 'same', 'sudo'],
  [
    'sudo by the maker, then plainly',
    { ...mina, loginUid: null, uid: 1003, sudoUid: 1002 },
    juno,
    'same',
    'sudo',
  ],
  [
    'both by sudo of one',
    { ...mina, sudoUid: 7, loginUid: null },
    { ...juno, sudoUid: 7, loginUid: null },
    'same',
    'sudo',
  ],
  ['two names of one account', mina, { ...juno, uid: 1001 }, 'same', 'account'],
  ['one terminal', mina, { ...juno, terminal: mina.terminal }, 'same', 'terminal'],
  [
    'no log-ins, as in a container',
    { ...mina, loginUid: null },
    { ...juno, loginUid: null },
    'apart',
    'account',
  ],
  ['two machines', mina, { ...mina, machine: 'n', boot: 'c' }, 'apart', 'account'],
  ['one machine, started again', mina, { ...mina, boot: 'c' }, 'same', 'login'],
  ['another user namespace', mina, { ...mina, userNamespace: 'v' }, 'apart', 'account'],
  ['nothing seen of the maker', null, mina, 'apart', 'account'],
  ['nothing known at all', NOTHING, NOTHING, 'apart', 'account'],
] as const) {
  test(`who acted: ${what}`, () => assert.deepEqual(compareOrigins(maker, checker), { kind, by }))
}
