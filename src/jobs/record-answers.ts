import { setTimeout as sleep } from 'node:timers/promises'
import { classify } from '#base/db-errors.ts'
import { type NoteDeps, noteDeliveries } from '#flows/deliveries/record-answers.ts'
import type { Heard, MessageKind } from '#modules/deliveries/types.ts'

const PAUSES_MS = [100, 1_000, 3_000]

// What a provider said is known to this process alone: a database that is busy or away for a moment is waited for. Given
// up, the messages are asked about later; that takes longer, and loses nothing.
export async function noteHeard(deps: NoteDeps, kind: MessageKind, heard: readonly Heard[]): Promise<void> {
  for (const pause of PAUSES_MS) {
    try {
      return await noteDeliveries(deps, kind, heard)
    } catch (error) {
      const deadlocked = /^40/.test((error as { code?: string }).code ?? '')
      if (!deadlocked && classify(error) !== 'unavailable') throw error
      await sleep(pause)
    }
  }
  await noteDeliveries(deps, kind, heard)
}
