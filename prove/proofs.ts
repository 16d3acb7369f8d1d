import type { Proof } from './proof.ts'
import { failover } from './proofs/failover.ts'
import { image } from './proofs/image.ts'
import { killLoop } from './proofs/kill-loop.ts'

// By the name that `npm run prove -- NAME` takes.
export const PROOFS: Readonly<Record<string, Proof>> = {
  failover,
  image,
  'kill-loop': killLoop,
}
