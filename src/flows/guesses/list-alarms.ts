import type { Reader } from '#base/db/db.ts'
import { judge } from '#modules/guesses/rules.ts'
import { listRecentTotals } from '#modules/guesses/store.ts'
import { GUESS_KINDS, type GuessKind } from '#modules/guesses/types.ts'

// For the operator's gauge: which alarms are on.
export async function listAlarms(database: Reader): Promise<{ kind: GuessKind; alarmed: boolean }[]> {
  const totals = await listRecentTotals(database)
  return GUESS_KINDS.map((kind) => {
    const counted = totals.filter((total) => total.kind === kind)
    return { kind, alarmed: counted.length > 0 && judge(kind, counted, counted[0]!.now).alarmed }
  })
}
