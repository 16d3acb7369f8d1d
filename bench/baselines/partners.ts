import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { withClient } from '../sql.ts'

const SCHEMA = new URL('one-purchase.sql', import.meta.url)

// What the baselines write with, and partners of their own to write for.
export function prepareBaselines(connection: pg.ClientConfig, partners: number): Promise<number[]> {
  return withClient(connection, async (client) => {
    await client.query(readFileSync(SCHEMA, 'utf8'))
    const { rows } = await client.query<{ id: number }>(
      `with made as (
         insert into partner (code, name, key_format)
         select 'baseline-' || n, 'Baseline', 'uuid' from generate_series(1, $1) n returning id, code),
       told as (
         insert into audit_entry (actor, action, subject, details)
         select 'bench', 'partner.add', code, '{"validityMonths": 12}' from made)
       insert into account (kind, asset, partner_id, floor)
       select 'partner_receivable', 'KRW_POINT', id, -999999999999999 from made returning partner_id as id`,
      [partners],
    )
    return rows.map((row) => row.id)
  })
}
