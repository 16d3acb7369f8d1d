import { setTimeout as sleep } from 'node:timers/promises'
import { classify, isDeadlock } from '#base/db-errors.ts'
import { type RecordDeps, recordOutcomes } from '#flows/deliveries/record-outcomes.ts'
import type { AttemptOutcome, MessageKind } from '#modules/deliveries/types.ts'

const PAUSES_MS = [100, 1_000, 3_000]

// Only this process knows the provider's answer, so it waits for a database that is busy or away for a moment. If it
// gives up, a status query finds the outcome later: that takes longer and loses nothing.
export async function recordOutcomesWithRetry(
  deps: RecordDeps,
  kind: MessageKind,
  outcomes: readonly AttemptOutcome[],
): Promise<void> {
  for (const pause of PAUSES_MS) {
    try {
      return await recordOutcomes(deps, kind, outcomes)
    } catch (error) {
      if (!isDeadlock(error) && classify(error) !== 'unavailable') throw error
      await sleep(pause)
    }
  }
  await recordOutcomes(deps, kind, outcomes)
}
