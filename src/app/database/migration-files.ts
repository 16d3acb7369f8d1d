import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { ROOT } from '#base/root.ts'

const FOLDER = new URL('db/migrations/', ROOT)
const COMPATIBLE = /^-- compatible with (none|\d{4})\b/m
const UNJUDGED = /^-- earlier releases cannot judge: (.+)$/m

export interface Migration {
  version: number
  name: string
  sql: string
  checksum: string
}

export function listMigrations(): Migration[] {
  return listFiles().map((file) => {
    const sql = readFileSync(new URL(file, FOLDER), 'utf8')
    const checksum = createHash('sha256').update(sql).digest('hex')
    return { version: versionOf(file), name: file.replace(/\.sql$/, ''), sql, checksum }
  })
}

// By the names: every start asks several times, and reads none of them for it.
export function schemaVersion(): number {
  return versionOf(listFiles().at(-1) ?? '0')
}

function listFiles(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .sort()
}

const versionOf = (file: string) => Number.parseInt(file, 10)

// The oldest schema whose release can still serve a database that has this migration, as its file declares. `none`: only
// releases that have the migration. Undefined: it declares nothing, as those from before there were declarations.
export function compatibleWith({ sql, version }: Migration): number | undefined {
  const [, oldest] = COMPATIBLE.exec(sql) ?? []
  if (oldest === undefined) return undefined
  return oldest === 'none' ? version : Number(oldest)
}

// Checks of `verify` that would misjudge what this migration allows, in releases that do not have it.
export function unjudgedChecks({ sql }: Migration): string[] {
  return UNJUDGED.exec(sql)?.[1]?.split(/,\s*/) ?? []
}
