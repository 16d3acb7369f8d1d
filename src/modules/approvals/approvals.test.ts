import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Origin } from '#base/origin.ts'
import { compareOrigins, isDeclaredSingle, refuseSecond } from './rules.ts'

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

// Who may be the second of two, after `mina` was the first.
const first = { actor: 'cli:mina', origin: mina, staffId: 's1' }
const second = { actor: 'cli:juno', origin: juno, staffId: 's2', mayDecide: true, isLive: true }
for (const [what, changes, expected] of [
  ['another staff member', {}, undefined],
  ['the same account', { actor: 'cli:mina' }, 'same_person'],
  [
    'the same staff member in the console',
    { actor: 'staff:mina@x', staffId: 's1', origin: null },
    'same_person',
  ],
  ['the same log-in', { origin: { ...juno, loginUid: 1001 } }, 'same_login'],
  ['an account that nobody is bound to, in live', { staffId: null, mayDecide: undefined }, 'unbound_account'],
  ['such an account in a sandbox', { staffId: null, mayDecide: undefined, isLive: false }, undefined],
  ['a role that may not', { mayDecide: false }, 'not_permitted'],
  ['a person without a name', { actor: 'cli:uid unknown' }, 'unknown_person'],
] as const) {
  test(`the second of two: ${what}`, () =>
    assert.equal(refuseSecond(first, { ...second, ...changes }), expected))
}

for (const [refusal, isLive, singlePerson, mayDecide, expected] of [
  ['same_person', false, true, true, true],
  ['same_person', false, true, undefined, true],
  ['same_person', false, true, false, false],
  ['same_login', false, true, true, true],
  ['same_person', false, false, true, false],
  ['same_person', true, true, true, false],
  ['not_permitted', false, true, false, false],
  [undefined, false, true, true, false],
] as const) {
  test(`one person for two: ${refusal} ${isLive ? 'live' : 'sandbox'} ${singlePerson} ${mayDecide}: ${expected}`, () =>
    assert.equal(isDeclaredSingle(refusal, { isLive, singlePerson, mayDecide }), expected))
}
