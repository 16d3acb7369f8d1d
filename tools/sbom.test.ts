import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

// `npm run sbom` lists what a server has, by name and version, and nothing that only building and testing need.
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const npm = (...words: string[]) =>
  spawnSync('npm', words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 })
const version = npm('--version').stdout.trim()
const skip = Number.parseInt(version, 10) >= 10 ? false : `npm ${version} has no sbom: 10 or newer has`

interface Locked {
  version: string
  dev?: boolean
}

const lock: Record<string, Locked> = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8')).packages
const listed = (wanted: (one: Locked) => boolean) =>
  Object.entries(lock).flatMap(([path, one]) =>
    path !== '' && wanted(one) ? [`${path.replace(/^.*node_modules\//, '')}@${one.version}`] : [],
  )
// TypeScript is an optional peer, which `npm run trim` removes.
const needed = listed(({ dev }) => !dev).filter((name) => !/^@?typescript[@/]/.test(name))
const forDevelopment = new Set(listed(({ dev }) => dev === true))

// biome-ignore lint/suspicious/noExplicitAny: two formats, of which one list is looked at
const LISTS: Record<string, (bom: any) => string[]> = {
  cyclonedx: ({ components }) =>
    components.map(
      ({ group, name, version: one }: Record<string, string>) => `${group ? `${group}/` : ''}${name}@${one}`,
    ),
  spdx: ({ packages }) =>
    packages.map(({ name, versionInfo }: Record<string, string>) => `${name}@${versionInfo}`),
}

for (const [format, read] of Object.entries(LISTS)) {
  test(`${format}: every production dependency, and no other`, { skip }, () => {
    const { status, stdout, stderr } = npm('run', '--silent', 'sbom', '--', format)
    assert.equal(status, 0, stderr)
    const named = new Set(read(JSON.parse(stdout)))
    assert.ok(needed.length > 50 && forDevelopment.size > 50)
    assert.deepEqual(
      needed.filter((one) => !named.has(one)),
      [],
    )
    assert.deepEqual(
      [...named].filter((one) => forDevelopment.has(one) && !needed.includes(one)),
      [],
    )
  })
}
