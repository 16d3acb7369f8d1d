import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments, parse as parseYaml } from 'yaml'

// The files of deploy/ and the Dockerfile, read as their tools read them. The tests deploy*.test.ts check them,
// test/api/proxies.test.ts runs the proxies, prove/proofs/image.ts builds and runs the images.
export const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

// biome-ignore lint/suspicious/noExplicitAny: manifests have many shapes, and the rules below look at few of their fields
export type Any = any
export type Settings = Record<string, string>

// Kubernetes reads YAML 1.1, where 0440 is octal.
export const parseManifests = (text: string, path: string): Any[] =>
  parseAllDocuments(text, { version: '1.1' }).map((document) => {
    assert.deepEqual(document.errors, [], path)
    return document.toJS()
  })
const manifestsOf = (path: string) => parseManifests(read(path), path)
export const manifests = ['ingot', 'network-policy', 'migrate', 'postgres', 'postgres-backup'].flatMap(
  (name) => manifestsOf(`deploy/kubernetes/${name}.yaml`),
)
export const pods = manifests.filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind))
// Those that run until they are stopped.
export const servers = pods.filter(({ kind }) => kind !== 'Job')
export const configMap: Settings = manifests.find(({ kind }) => kind === 'ConfigMap').data
export const compose: Any = parseYaml(read('deploy/compose/compose.yaml'))
export const dockerfile = read('Dockerfile')
export const unit = read('deploy/systemd/ingot.service')
export const credentials = read('deploy/systemd/credentials.conf')

// NAME=value, as the shell and systemd read it.
export function assignments(text: string): Settings {
  const lines = text.split('\n').filter((line) => /^[A-Z]/.test(line))
  return Object.fromEntries(
    lines.map((line) => [line.split('=', 1)[0]!, line.replace(/^[^=]*=/, '').replace(/^'(.*)'$/, '$1')]),
  )
}

export const environmentOf = (text: string): Settings =>
  assignments(
    text
      .match(/(?<=^Environment=).*/gm)!
      .join('\n')
      .replaceAll(' ', '\n'),
  )
export const containerOf = (pod: Any) => pod.spec.template.spec.containers[0]
export const ownEnvironment = (pod: Any): Settings =>
  Object.fromEntries((containerOf(pod).env ?? []).map(({ name, value }: Any) => [name, value]))

export const DOCKER_ENV = assignments(/^ENV (NODE_ENV.*)/m.exec(dockerfile)![1]!.replaceAll(' ', '\n'))
export const IN_FILES: Record<string, Settings> = {
  'deploy/settings.example': assignments(read('deploy/settings.example')),
  'deploy/kubernetes/ingot.yaml': configMap,
  ...Object.fromEntries(pods.map((pod) => [pod.metadata.name, ownEnvironment(pod)])),
  'deploy/compose/compose.yaml': compose.services.ingot.environment,
  'deploy/systemd/ingot.service': environmentOf(unit),
  'deploy/systemd/credentials.conf': environmentOf(credentials),
  Dockerfile: DOCKER_ENV,
}
