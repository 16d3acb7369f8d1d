import { readdirSync, readFileSync } from 'node:fs'
import { ROOT } from '#base/root.ts'

const at = (path: string) => new URL(path, ROOT)
const read = (path: string) => JSON.parse(readFileSync(at(path), 'utf8'))

export const VERSION: string = read('package.json').version

// The release whose files are on the disk now. All processes of a service have the same one: the first of a newer
// release would migrate the database under the others.
export function readRelease(): string {
  const migrations = readdirSync(at('db/migrations')).filter((file) => file.endsWith('.sql'))
  const schema = Math.max(...migrations.map((file) => Number.parseInt(file, 10)))
  return `${read('package.json').version}+schema.${schema}.functions.${read('db/functions.lock.json').version}`
}
