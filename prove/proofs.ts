import type { Proof } from './proof.ts'
import { clockJumps } from './proofs/clock-jumps.ts'
import { clusterRestore } from './proofs/cluster-restore.ts'
import { deadConnections } from './proofs/dead-connections.ts'
import { diskFull } from './proofs/disk-full.ts'
import { exhaustedConnections } from './proofs/exhausted-connections.ts'
import { failover } from './proofs/failover.ts'
import { frozenDatabase } from './proofs/frozen-database.ts'
import { image } from './proofs/image.ts'
import { killLoop } from './proofs/kill-loop.ts'
import { providerDown } from './proofs/provider-down.ts'
import { restore } from './proofs/restore.ts'
import { rollingRestart } from './proofs/rolling-restart.ts'
import { upgrade } from './proofs/upgrade.ts'

// By the name that `npm run prove -- NAME` takes.
export const PROOFS: Readonly<Record<string, Proof>> = {
  'clock-jumps': clockJumps,
  'cluster-restore': clusterRestore,
  'dead-connections': deadConnections,
  'disk-full': diskFull,
  'exhausted-connections': exhaustedConnections,
  'frozen-database': frozenDatabase,
  failover,
  image,
  'kill-loop': killLoop,
  upgrade,
  'provider-down': providerDown,
  restore,
  'rolling-restart': rollingRestart,
}
