import { sql } from 'kysely'
import type { Tx } from '#base/db/db.ts'
import { skipSerialBlocksIn } from '#modules/gift-cards/store.ts'

// More than can have been written since any backup: a hundred rows for each card of a month at 13,000 a second would not
// reach it. Ids stay below 2^53 for 90,000 restores. Tables with a small id have few rows.
const SKIPPED = { bigint: 100_000_000_000n, integer: 100_000n } as const

// A sequence went back with the database and would give out numbers that were given out before. PostgreSQL never takes
// such a jump back, also not with its transaction. So a second call only skips more.
export async function skipNumbers(tx: Tx): Promise<void> {
  await skipSerialBlocksIn(tx)
  await sql`select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) +
                          case data_type::text when 'bigint' then ${SKIPPED.bigint}::bigint
                                               else ${SKIPPED.integer}::bigint end)
              from pg_sequences
             where schemaname = current_schema() and sequencename <> 'gift_card_serial_block'`.execute(tx)
}
