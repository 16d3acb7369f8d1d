import { CompiledQuery } from 'kysely'
import { assert } from '#base/assert.ts'
import type { Vault } from '#base/crypto/vault.ts'
import type { Database, Db } from '#base/db/db.ts'
import { ALSO_READ, PERSONAL_TABLES, WITHHELD } from '#flows/members/personal-tables.ts'
import { retentionOf } from '#modules/retention/rules.ts'
import type { Words } from '#modules/retention/types.ts'

// More than a person does in a lifetime. A section that has more says that it is not complete.
const MAX_ROWS = 100_000

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

interface DataSection {
  name: string
  title: Words
  kept: Words
  why: Words
  // False: there are more rows than a file can hold; the operator has them.
  complete: boolean
  // Columns that are kept but not shown, and the reason.
  withheld: Record<string, string>
  rows: Record<string, Json>[]
}

export interface PersonalData {
  format: 'ingot-member-data'
  version: 1
  memberId: string
  exportedAt: string
  sections: DataSection[]
}

type Row = Record<string, unknown>

// Everything about one person, as of one moment. Only reads, each by an index.
export function collectData(database: Database, vault: Vault, memberId: string): Promise<PersonalData> {
  return database.withReading({}, async (db) => {
    const { accounts, links, now } = await findWhose(db, memberId)
    const values = [memberId, accounts, links, [memberId, ...links]]
    const sections: DataSection[] = []
    for (const name of Object.keys(PERSONAL_TABLES)) sections.push(await readSection(db, vault, name, values))
    return { format: 'ingot-member-data', version: 1, memberId, exportedAt: now.toString(), sections }
  })
}

async function findWhose(db: Db, memberId: string) {
  const text = `select array(select id from member_account where member_id = $1::uuid) as accounts,
                       array(select id from partner_user where member_id = $1::uuid) as links, service_now() as now`
  const { rows } = await db.executeQuery<{ accounts: string[]; links: string[]; now: Temporal.Instant }>(
    CompiledQuery.raw(text, [memberId]),
  )
  return rows[0]!
}

async function readSection(db: Db, vault: Vault, name: string, values: unknown[]): Promise<DataSection> {
  const { title, retention, where, order, shown, sealed = [], withheld } = PERSONAL_TABLES[name]!
  const also = ALSO_READ[name]
  // A sealed value's place is named by the row's id.
  const read = new Set([...shown, ...sealed, ...(sealed.length > 0 && !shown.includes('key') ? ['id'] : [])])
  const columns = [...read].map((column) => `t.${column}`).concat(also ?? [])
  const used = values.map((_, i) => i + 1).filter((i) => where.includes(`$${i}`))
  // A statement must use each of its parameters, so they are numbered anew.
  const condition = used.reduce((text, i, at) => text.replaceAll(`$${i}::`, `$@${at + 1}::`), where)
  const text = `select ${columns.join(', ')} from ${name} t where ${condition.replaceAll('$@', '$')}
                 order by ${order} limit ${MAX_ROWS + 1}`
  const asked = CompiledQuery.raw(
    text,
    used.map((i) => values[i - 1]),
  )
  const { rows } = await db.executeQuery<Row>(asked)
  const { kept, why } = retentionOf(retention)
  const reasons = Object.entries(withheld).flatMap(([reason, list]) =>
    list.split(' ').map((column) => [camel(column), WITHHELD[reason as keyof typeof WITHHELD]]),
  )
  return {
    name,
    title,
    kept,
    why,
    complete: rows.length <= MAX_ROWS,
    withheld: Object.fromEntries(reasons),
    rows: rows.slice(0, MAX_ROWS).map((row) => toJson(vault, name, row)),
  }
}

function toJson(vault: Vault, name: string, row: Row): Record<string, Json> {
  const { shown, sealed = [], placeOf } = PERSONAL_TABLES[name]!
  const place = placeOf?.(row) ?? { table: name, row: String(row.id) }
  const names = [...shown, ...(ALSO_READ[name] ? ['partner'] : []), ...sealed]
  return Object.fromEntries(
    names.map((column) => {
      const value = row[column]
      const opened = value instanceof Buffer ? open(vault, { ...place, column }, value) : plain(value)
      return [camel(column), opened]
    }),
  )
}

// Details are sealed as JSON, numbers and names as they are.
function open(vault: Vault, place: Parameters<Vault['open']>[0], sealed: Buffer): Json {
  const text = vault.open(place, sealed)
  return /^[[{]/.test(text) ? JSON.parse(text) : text
}

function plain(value: unknown): Json {
  if (typeof value === 'bigint') {
    assert(value <= BigInt(Number.MAX_SAFE_INTEGER), 'amounts and ids are below 2^53')
    return Number(value)
  }
  if (value instanceof Temporal.Instant) return value.toString()
  return (value ?? null) as Json
}

const camel = (column: string) => column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
