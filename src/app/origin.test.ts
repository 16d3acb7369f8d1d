import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OriginSources, readOrigin, thisMachine } from '#app/origin.ts'

function machine(files: Record<string, string>, environment: Record<string, string> = {}): OriginSources {
  return { read: (path) => files[path], link: (path) => files[path], uid: () => 1002, environment }
}
const stat = (session: number, terminal: number, began: number) =>
  `7 (a (b) c) S 1 7 ${session} ${terminal} ${'0 '.repeat(14)}${began} 0 0`

const LINUX = {
  '/etc/machine-id': 'd34db33f\n',
  '/proc/sys/kernel/random/boot_id': 'b007\n',
  '/proc/self/ns/user': 'user:[1]',
  '/proc/self/ns/pid': 'pid:[2]',
  '/proc/self/loginuid': '1001',
  '/proc/self/stat': stat(400, 34816, 99),
  '/proc/400/stat': stat(400, 34816, 55),
}

test('who runs a command, as Linux tells', () => {
  const origin = readOrigin(machine(LINUX, { SUDO_UID: '1001' }))
  assert.deepEqual(
    [origin.uid, origin.loginUid, origin.sudoUid, origin.userNamespace, origin.terminal],
    [1002, 1001, 1001, 'user:[1]', 'pid:[2] 400 55'],
  )
  assert.ok(origin.machine !== null && !origin.machine.includes('d34d'))
})

for (const [what, files, environment] of [
  ['nobody logged in', { ...LINUX, '/proc/self/loginuid': '4294967295' }, {}],
  ['no loginuid', { ...LINUX, '/proc/self/loginuid': '' }, {}],
  ['a SUDO_UID that is no number', { ...LINUX, '/proc/self/loginuid': '' }, { SUDO_UID: '-1; x' }],
] as const) {
  test(`unknown: ${what}`, () => {
    const { loginUid, sudoUid } = readOrigin(machine(files, environment))
    assert.deepEqual([loginUid, sudoUid], [null, null])
  })
}

test('no terminal, and a system without /proc', () => {
  assert.equal(readOrigin(machine({ ...LINUX, '/proc/self/stat': stat(400, 0, 99) })).terminal, null)
  const { uid, ...others } = readOrigin(machine({}))
  assert.deepEqual([uid, new Set(Object.values(others))], [1002, new Set([null])])
})

test('this machine answers', () => {
  assert.equal(readOrigin(thisMachine({})).uid, process.getuid?.() ?? null)
})
