import assert from 'node:assert/strict'
import { basename, dirname } from 'node:path'
import { test } from 'node:test'
import {
  type Any,
  configMap,
  containerOf,
  DOCKER_ENV,
  dockerfile,
  manifests,
  ownEnvironment,
  parseManifests,
  pods,
  read,
  type Settings,
} from './deploy-files.ts'

// The manifests of deploy/kubernetes, against each other and the image. deploy.test.ts has what they share with other ways to run.

test('Service, disruption budget and network policy select the pods that they are for', () => {
  const [service, ofWorkers] = manifests.filter(({ kind }) => kind === 'Service')
  assert.equal(service.spec.ports[0].targetPort, 'http')
  const selected = ({ matchLabels }: Any) =>
    pods
      .filter(({ spec }) =>
        Object.entries(matchLabels).every(([key, value]) => spec.template.metadata.labels[key] === value),
      )
      .map(({ metadata }) => metadata.name)
  assert.deepEqual(selected({ matchLabels: service.spec.selector }), ['ingot-api'])
  assert.deepEqual(selected({ matchLabels: ofWorkers.spec.selector }), ['ingot-worker'])
  const budgets = manifests.filter(({ kind }) => kind === 'PodDisruptionBudget')
  assert.deepEqual(
    budgets.map(({ spec }) => selected(spec.selector)),
    [['ingot-api'], ['ingot-worker']],
  )
  // A node can be drained, and one pod of each stays.
  for (const { metadata, spec } of budgets) {
    const { replicas } = pods.find((pod) => pod.metadata.name === metadata.name).spec
    const stopped = spec.maxUnavailable ?? replicas - spec.minAvailable
    assert.ok(stopped >= 1 && stopped < replicas, metadata.name)
  }
  assert.deepEqual(selected(manifests.find(({ kind }) => kind === 'NetworkPolicy').spec.podSelector), [
    'ingot-api',
    'ingot-worker',
    'ingot-migrate',
  ])
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
    const claimed = (pod.spec.volumeClaimTemplates ?? []).map(({ metadata }: Any) => metadata)
    assert.deepEqual(
      container.volumeMounts.map(({ name }: Any) => name),
      [...claimed, ...volumes].map(({ name }: Any) => name),
    )
    // live refuses a key ring that others can read.
    for (const { secret, projected } of volumes)
      if (secret || projected) assert.equal((secret ?? projected).defaultMode, 0o440)
    // Of the authority the certificate: with its key anyone could pose as the database.
    const { sources } = volumes.find(({ name }: Any) => name === 'database').projected
    assert.deepEqual(
      sources.map(({ secret }: Any) => [secret.name, secret.items.map(({ key }: Any) => key)]),
      [
        ['ingot-database-address', ['uri']],
        ['ingot-database-ca', ['ca.crt']],
      ],
    )
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

test('the backups are of this database, by the plugin that its comment names, to the store beside it', () => {
  const path = 'deploy/kubernetes/postgres.yaml'
  const [cluster] = parseManifests(read(path).replace(/^ {2}# (plugins:| {2}.*)$/gm, '  $1'), path)
  const find = (wanted: string) => manifests.find(({ kind }) => kind === wanted)
  const [store, schedule] = [find('ObjectStore'), find('ScheduledBackup')]
  const name = 'barman-cloud.cloudnative-pg.io'
  const parameters = { barmanObjectName: store.metadata.name }
  assert.deepEqual(cluster.spec.plugins, [{ name, isWALArchiver: true, parameters }])
  const { cluster: of, method, pluginConfiguration, schedule: times } = schedule.spec
  assert.deepEqual([of, method, pluginConfiguration], [{ name: cluster.metadata.name }, 'plugin', { name }])
  assert.equal(times.split(' ').length, 6, 'with the seconds')
  const credentials = Object.values(store.spec.configuration.s3Credentials) as Any[]
  const page = read('docs/backup.md')
  for (const word of credentials.flatMap((one) => [one.name, one.key]))
    assert.ok(page.includes(`\`${word}\``), word)
})

test('the address of the database in Kubernetes makes sure of the server', () => {
  const [, query] = /printf '(\?[^']*)'/.exec(read('docs/deployment.md'))!
  const given = new URLSearchParams(query)
  const file = given.get('sslrootcert')!
  assert.deepEqual([given.get('sslmode'), basename(file)], ['verify-full', 'ca.crt'])
  for (const pod of pods)
    assert.equal(
      containerOf(pod).volumeMounts.find(({ name }: Any) => name === 'database').mountPath,
      dirname(file),
    )
})

test('the policy stands before the migration, and its rules in comments are rules', () => {
  const page = read('docs/deployment.md')
  const order = ['network-policy', 'migrate', 'ingot'].map((name) => `-f deploy/kubernetes/${name}.yaml`)
  const places = order.map((words) => page.indexOf(words))
  assert.ok(places[0]! > 0 && places[0]! < places[1]! && places[1]! < places[2]!, String(places))
  const path = 'deploy/kubernetes/network-policy.yaml'
  const text = read(path)
  const taken = text.replace(/^ {4}# (- to:| {2}.*)$/gm, '    $1')
  const rulesOf = (yaml: string) =>
    parseManifests(yaml, path)[0].spec.egress.map(({ to: [peer], ports: [{ port }] }: Any) => [
      Object.keys(peer).join(),
      port,
    ])
  assert.deepEqual(rulesOf(text), [
    ['namespaceSelector', 53],
    ['podSelector', 5432],
    ['ipBlock', 443],
  ])
  assert.deepEqual(rulesOf(taken), [
    ['namespaceSelector', 53],
    ['podSelector', 5432],
    ['ipBlock', 5432],
    ['namespaceSelector', 4318],
    ['ipBlock', 443],
  ])
})

test('the folder of the anchors outlives a worker, under a name that stays', () => {
  const worker = pods.find(({ metadata }) => metadata.name === 'ingot-worker')
  const { serviceName, selector, template, volumeClaimTemplates } = worker.spec
  assert.equal(worker.kind, 'StatefulSet')
  const headless = manifests.find(({ kind, metadata }) => kind === 'Service' && metadata.name === serviceName)
  assert.equal(headless.spec.clusterIP, 'None')
  assert.deepEqual(selector.matchLabels, template.metadata.labels)
  const kept = containerOf(worker).volumeMounts.find(
    ({ mountPath }: Any) => mountPath === DOCKER_ENV.DATA_DIR,
  )
  assert.deepEqual(
    volumeClaimTemplates.map(({ metadata }: Any) => metadata.name),
    [kept.name],
  )
  // The account of the image can write to a new volume, and reads its own files after that.
  assert.deepEqual(
    [template.spec.securityContext.fsGroup, template.spec.securityContext.fsGroupChangePolicy],
    [template.spec.securityContext.runAsGroup, 'OnRootMismatch'],
  )
})
