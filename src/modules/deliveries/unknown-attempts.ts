import { sql } from 'kysely'
import type { Db } from '#base/db/db.ts'
import { parseKey, parseNoticeKey } from './rules.ts'

// Attempts that are beyond what this database knows. One that it made after the restore was written down before it was
// sent, so it is never among them. Keys that are not ours are another program's.
export async function filterUnknown<Attempt extends { key: string; attempt: number }>(
  db: Db,
  attempts: readonly Attempt[],
): Promise<Attempt[]> {
  const ours = attempts.flatMap((attempt) => {
    const [card, notice] = [parseKey(attempt.key), parseNoticeKey(attempt.key)]
    if (!card && !notice) return []
    return [{ attempt, owner: card?.cardId ?? notice!, card }]
  })
  if (ours.length === 0) return []
  const { rows } = await sql<{ i: number; known: number }>`
    select k.i::int, coalesce(d.attempt, n.attempt) as known
      from unnest(${ours.map(({ owner }) => owner)}::uuid[], ${ours.map(({ card }) => card?.channel ?? null)}::text[],
                  ${ours.map(({ card }) => card?.purpose ?? null)}::text[],
                  ${ours.map(({ card }) => card?.ordinal ?? null)}::int[]) with ordinality
           as k (owner, channel, purpose, ordinal, i)
      left join delivery d on d.card_id = k.owner and d.channel = k.channel and d.purpose = k.purpose
                          and d.ordinal = k.ordinal
      left join notice n on n.key = k.owner and k.channel is null
     where d.id is not null or n.id is not null`.execute(db)
  const known = new Map(rows.map(({ i, known }) => [i - 1, known]))
  return ours.flatMap(({ attempt }, i) => (attempt.attempt > (known.get(i) ?? 0) ? [attempt] : []))
}
