import { type RecordDeps, recordOutcomes } from '#flows/deliveries/record-outcomes.ts'
import { retryPatiently } from '#flows/kit/retries.ts'
import type { AttemptOutcome, MessageKind } from '#modules/deliveries/types.ts'

const PAUSES_MS = [100, 1_000, 3_000]

// Only this process knows the provider's answer, so it waits for a database that is busy or away for a moment. If it
// gives up, a status query finds the outcome later: that takes longer and loses nothing.
export function recordOutcomesWithRetry(
  deps: RecordDeps,
  kind: MessageKind,
  outcomes: readonly AttemptOutcome[],
): Promise<void> {
  return retryPatiently(() => recordOutcomes(deps, kind, outcomes), PAUSES_MS)
}
