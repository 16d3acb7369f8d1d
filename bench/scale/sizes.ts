import type pg from 'pg'
import { withClient } from '../sql.ts'

interface TableSize {
  name: string
  rows: number
  table: number
  indexes: number
}

export interface Sizes {
  database: number
  tables: TableSize[]
}

// Exact counts are of no use here: `settle` has analyzed every table.
export function readSizes(connection: pg.ClientConfig): Promise<Sizes> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<TableSize>(
      `select c.relname as name, greatest(c.reltuples, 0)::float8 as rows, pg_table_size(c.oid)::float8 as table,
              pg_indexes_size(c.oid)::float8 as indexes
         from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
        order by pg_total_relation_size(c.oid) desc`,
    )
    const { rows: whole } = await client.query<{ size: number }>(
      'select pg_database_size(current_database())::float8 as size',
    )
    return { database: whole[0]!.size, tables: rows }
  })
}

const OF_CARDS = ['gift_card', 'transfer', 'delivery', 'delivery_event']
const SHOWN = 12

// What one more card takes, its members apart: between two loads, the fixed part of each table cancels out.
export function describeSizes(few: Sizes, many: Sizes): string[] {
  const growth = (name: string, of: 'rows' | 'table' | 'indexes') => {
    const [a, b] = [few, many].map(({ tables }) => tables.find((table) => table.name === name)![of])
    return b! - a!
  }
  const cards = growth('gift_card', 'rows') // with those that were bought in between
  const each = (name: string, of: 'table' | 'indexes') => growth(name, of) / cards
  const sum = (of: 'table' | 'indexes') => OF_CARDS.reduce((total, name) => total + each(name, of), 0)
  const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20).toLocaleString('en-US')
  return [
    `database, and so a base backup: ${megabytes(many.database)} MB`,
    `bytes per card: ${Math.round(sum('table'))} in tables, ${Math.round(sum('indexes'))} in indexes (${OF_CARDS.map(
      (name) => `${name} ${Math.round(each(name, 'table'))} + ${Math.round(each(name, 'indexes'))}`,
    ).join(', ')})`,
    'largest tables, MB of table and of indexes:',
    ...many.tables
      .slice(0, SHOWN)
      .map(
        ({ name, rows, table, indexes }) =>
          `  ${name}: ${Math.round(rows).toLocaleString('en-US')} rows, ${megabytes(table)} + ${megabytes(indexes)}`,
      ),
  ]
}

// Of these tables none may be read whole while requests are served and jobs run.
const LARGE =
  `gift_card transfer delivery delivery_event account member member_ci member_account partner_user idempotency_key
  redemption_key web_session audit_entry signup_trace trade_order withdrawal`.split(/\s+/)

// How often each was, so far. Connections tell of it when they end, or after ten seconds without work.
export function readScans(connection: pg.ClientConfig): Promise<Map<string, number>> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ name: string; scans: number }>(
      'select relname as name, seq_scan::float8 as scans from pg_stat_user_tables where relname = any($1)',
      [LARGE],
    )
    return new Map(rows.map(({ name, scans }) => [name, scans]))
  })
}
