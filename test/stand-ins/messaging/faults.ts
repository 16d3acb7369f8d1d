import { type RequestFault, requestFaultOf } from '#providers/messaging/magic-numbers.ts'
import { mulberry32 } from '#test/random.ts'

export interface FaultOptions {
  // The share of requests that go wrong, each in one of these ways.
  rate: number
  kinds: readonly RequestFault[]
  seed: number
}

export type ChooseFault = (messages: readonly { to: string; attempt: number }[]) => RequestFault | undefined

// By number first, so that a test can have just what it asks for; then by chance, the same for the same seed.
export function createFaults(options: FaultOptions | undefined): ChooseFault {
  const random = mulberry32(options?.seed ?? 0)
  return (messages) => {
    for (const { to, attempt } of messages) {
      const fault = requestFaultOf(to, attempt)
      if (fault) return fault
    }
    if (!options || random() >= options.rate) return undefined
    return options.kinds[Math.floor(random() * options.kinds.length)]
  }
}
