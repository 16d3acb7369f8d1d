import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from '#app/settings/config.ts'
import { requireServing } from '#app/settings/serve.ts'
import { temporaryFolder } from '#test/process.ts'
import {
  assignments,
  compose,
  configMap,
  containerOf,
  DOCKER_ENV,
  IN_FILES,
  manifests,
  ownEnvironment,
  pods,
  read,
  type Settings,
} from './deploy-files.ts'
import { settingsRead } from './tidy/documents.ts'

// The settings in the files of deploy/, against what the service reads and needs.
const folder = temporaryFolder()
after(() => folder.remove())

test('every setting in these files is one that the service reads', () => {
  const known = settingsRead().add('NODE_ENV')
  for (const [file, settings] of Object.entries(IN_FILES)) {
    assert.ok(Object.keys(settings).length > 0, file)
    assert.deepEqual(
      Object.keys(settings).filter((name) => !known.has(name)),
      [],
      file,
    )
  }
})

test('a secret is never a value: it comes from a file', () => {
  const secrets = [...settingsRead()]
    .filter((name) => name.endsWith('_FILE'))
    .map((name) => name.replace(/_FILE$/, ''))
  for (const [file, settings] of Object.entries(IN_FILES)) {
    const given = secrets.filter((name) => settings[name] !== undefined)
    // Compose puts its one password into the address of the database.
    assert.deepEqual(given, file.includes('compose') ? ['DATABASE_URL'] : [], file)
  }
  assert.doesNotMatch(JSON.stringify(manifests), /secretKeyRef|secretRef/)
})

test('every secret can come from a file, and each file that is missing is named', () => {
  const known = settingsRead()
  const secrets = [...known].filter((name) =>
    /(?:SECRET|TOKEN|PASSWORD|APPKEY|_KEY|DATABASE_URL)$/.test(name),
  )
  assert.ok(secrets.length > 10)
  assert.deepEqual(
    secrets.filter((name) => !known.has(`${name}_FILE`)),
    [],
  )
  const chosen = { MESSAGING: 'solapi,nhn', IDENTITY: 'portone', PRICES: 'goldapi' }
  const files = Object.fromEntries(secrets.map((name) => [`${name}_FILE`, join(folder.path, `no-${name}`)]))
  assert.throws(
    () => readConfig({ ...chosen, ...files }),
    ({ message }: Error) =>
      secrets.every((name) => message.includes(`${name}_FILE: cannot be read (ENOENT)`)),
  )
})

// The secrets' files as an operator makes them.
function withFiles(settings: Settings): Settings {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      if (!name.endsWith('_FILE')) return [name, value]
      const path = join(folder.path, basename(value))
      const text =
        name === 'DATABASE_URL_FILE' ? 'postgresql://ingot:secret@db/ingot' : 'a-secret-of-some-length'
      rmSync(path, { force: true }) // the one of a call before: only root writes over it
      writeFileSync(path, `${text}\n`, { mode: 0o440 })
      return [name, path]
    }),
  )
}

test('the examples for live are complete: `serve` would ask for nothing more', () => {
  const here = { PUBLIC_URL: 'https://gold.example', DATABASE_URL: 'postgresql://db/ingot' }
  const api = pods.find(({ metadata }) => metadata.name === 'ingot-api')
  const LIVE: Record<string, Settings> = {
    'settings.example': { ...here, ...IN_FILES['deploy/settings.example'] },
    kubernetes: { ...configMap, ...ownEnvironment(api), TRUSTED_PROXIES: '10.244.7.0/24' },
  }
  for (const [name, settings] of Object.entries(LIVE)) {
    const config = readConfig(withFiles(settings), requireServing)
    assert.equal(config.mode, 'live', name)
    // One left out is missed.
    for (const left of ['OPERATOR_NAME', 'GOLDAPI_TOKEN_FILE', 'KEY_RING_FILE']) {
      const { [left]: _, ...fewer } = withFiles(settings)
      assert.throws(
        () => readConfig(fewer, requireServing),
        new RegExp(left.replace(/^(GOLDAPI_TOKEN)_FILE$/, '$1')),
      )
    }
  }
  // Whom to believe is not for an example to say: as it is, nothing starts.
  assert.throws(() => readConfig(withFiles({ ...configMap })), /TRUSTED_PROXIES/)
  const migrate = pods.find(({ kind }) => kind === 'Job')
  assert.equal(readConfig(withFiles(ownEnvironment(migrate))).mode, 'live')
  assert.deepEqual(containerOf(migrate).args, ['migrate'])
})

test('compose asks for two values, and .env.example names them', () => {
  const required = new Set(read('deploy/compose/compose.yaml').match(/(?<=\$\{)[A-Z_]+(?=:\?)/g))
  assert.deepEqual([...required].sort(), ['POSTGRES_PASSWORD', 'PUBLIC_URL'])
  assert.deepEqual(Object.keys(assignments(read('deploy/compose/.env.example'))).sort(), [...required].sort())
  const { ingot, postgres } = compose.services
  const filled = JSON.parse(
    JSON.stringify(ingot.environment)
      .replace(/\$\{(\w+):\?[^}]*\}/g, (_, name) => (name === 'PUBLIC_URL' ? 'http://127.0.0.1:3000' : 'x1'))
      .replace(/\$\{\w+:-([^}]*)\}/g, '$1'),
  )
  const config = readConfig({ ...DOCKER_ENV, ...filled }, requireServing)
  // Callers of the published port come from the gateway of the network.
  const [{ gateway }] = compose.networks.outside.ipam.config
  assert.ok(config.trustedProxies.has(gateway))
  assert.equal(new URL(config.databaseUrl!).hostname, 'postgres')
  assert.deepEqual(
    [compose.networks.database.internal, postgres.networks, postgres.ports],
    [true, ['database'], undefined],
  )
  assert.deepEqual(ingot.ports, ['127.0.0.1:3000:3000'])
  assert.deepEqual([ingot.read_only, ingot.cap_drop], [true, ['ALL']])
  // The database knows the audit anchors by folder and host name: both outlive the container.
  assert.deepEqual([ingot.hostname, ingot.volumes[0]], ['ingot', `data:${config.dataDir}`])
  assert.match(postgres.image, /:18\./)
})
