import { sql } from 'kysely'
import type { Tx } from '#base/db/db.ts'
import { skipSerialBlocksForRestore } from '#modules/gift-cards/store.ts'

// Where the ids of a restored database go on. One backup may be restored twice, and ids were given out after the first
// restore too. So each restore begins at the place of its own moment: further from 0 than any service comes since 2026, at
// 8,192 rows a millisecond, or 128 a minute where ids are small. A clock that is years ahead must not use the ids up: the last
// place, short of 2^53 and of 2^31, is reached in 2055.
const SINCE_2026 = sql`extract(epoch from clock_timestamp() - timestamptz '2026-01-01 00:00:00+00')::numeric`
const PLACE = {
  bigint: sql`least(${SINCE_2026} * 1000 * 8192, 8000000000000000)::bigint`,
  integer: sql`least(${SINCE_2026} / 60 * 128, 2000000000)::bigint`,
}

// If ids are beyond that place, a clock was ahead. Then they go on after more than can have been written since any backup: a
// hundred rows for each card of a month at 13,000 a second would not reach it. Tables with a small id have few rows.
const SKIPPED = { bigint: 100_000_000_000n, integer: 100_000n } as const

// A sequence went back with the database and would give out numbers that were given out before. PostgreSQL never takes
// such a jump back, also not with its transaction. So a second call only skips more.
export async function skipNumbers(tx: Tx): Promise<void> {
  await skipSerialBlocksForRestore(tx)
  await sql`select setval(name::regclass, case when place > last then place else last + skipped end)
              from (select format('%I.%I', schemaname, sequencename) as name, coalesce(last_value, 0) as last,
                           case data_type::text when 'bigint' then ${PLACE.bigint} else ${PLACE.integer} end as place,
                           case data_type::text when 'bigint' then ${SKIPPED.bigint}::bigint
                                                else ${SKIPPED.integer}::bigint end as skipped
                      from pg_sequences
                     where schemaname = current_schema() and sequencename <> 'gift_card_serial_block') one`.execute(
    tx,
  )
}
