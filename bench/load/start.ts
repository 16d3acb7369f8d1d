import { type Helper, startHelper } from '../children.ts'
import type { Job } from './run.ts'
import type { Load } from './tally.ts'

export type Generator = Helper<Job, Load>

// One for a whole part: its code stays compiled.
export function startGenerator(): Generator {
  return startHelper(new URL('generator.ts', import.meta.url))
}
