import { audit } from './audit-check.ts'
import { books } from './books-check.ts'
import { connections, reach, tls } from './connection-checks.ts'
import { keyRing, schema } from './data-checks.ts'
import { disk, proxies, serving, templates } from './installation-checks.ts'
import { move } from './move-check.ts'
import { backup, restoration } from './recovery-checks.ts'
import { clock, durability, planner, replication, rights } from './server-checks.ts'
import type { Check } from './types.ts'
import { version } from './version-check.ts'

// In the order of the report. A new check is a new line here, and a row in docs/database.md.
export const CHECKS: readonly Check[] = [
  serving,
  proxies,
  disk,
  backup,
  reach,
  keyRing,
  tls,
  version,
  rights,
  schema,
  move,
  restoration,
  audit,
  books,
  durability,
  replication,
  planner,
  clock,
  connections,
  templates,
]
