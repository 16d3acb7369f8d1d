import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#app/settings/config.ts'
import type { VaultKeeper } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import { failureFields } from '#base/db/errors.ts'
import type { Log } from '#base/log.ts'
import { anchorChain } from '#flows/audit/anchor-chain.ts'
import { sealEntries } from '#flows/audit/seal-entries.ts'
import { createSealTransfers, type SealPace } from '#flows/books/seals/seal-transfers.ts'
import { findingText } from '#modules/audit/findings.ts'
import { appendAnchor, outsideOf } from './anchor-file.ts'

const PAUSE_MS = 2_000 // how long an entry stays outside the chain at most, beside the time of its own transaction
const TOLD_EVERY = 50_000 // of what is from before the chains

interface Keeping {
  database: Database
  keys: VaultKeeper
  log: Log
  config: Pick<Config, 'dataDir' | 'auditAnchors'>
  pauseMs?: number
  sealPace?: SealPace
  // Of the worker.
  rest?: () => number
}

export interface Sealer {
  stop(): Promise<void>
}

// Seals audit entries and transfers and anchors the chain, as long as the worker's jobs run. On every server: one of them seals at a time, and
// each keeps its own anchors.
export function startSealer(keeping: Keeping): Sealer {
  const { log, pauseMs = PAUSE_MS } = keeping
  const stopping = new AbortController()
  const sealTransfers = createSealTransfers(keeping.database, keeping.sealPace, keeping.rest)
  let said = ''
  async function round(): Promise<void> {
    const isOver = () => stopping.signal.aborted
    await sealEntries(keeping, telling(log, 'audit entries sealed'), isOver)
    await sealTransfers(telling(log, 'transfers sealed'), isOver)
    if (stopping.signal.aborted) return
    const { line, finding } = await anchorOnce(keeping)
    // For the operator's log shipping: it leaves this machine with the log.
    if (line) log.info('audit.anchor', { anchor: line })
    const says = finding ? findingText(finding) : ''
    if (says !== '' && says !== said) log.error('audit chain broken', { reason: says })
    said = says
  }
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await round().catch((error) => {
        // At the end its connections are cut off, and the next worker goes on.
        if (!stopping.signal.aborted) log.warn('audit log not sealed', failureFields(error))
      })
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

function telling(log: Log, event: string): (sealed: number) => void {
  let told = 0
  return (sealed) => {
    if (sealed - told < TOLD_EVERY) return
    told = sealed
    log.info(event, { count: sealed })
  }
}

export function anchorOnce(
  { database, keys, config: { dataDir, auditAnchors } }: Omit<Keeping, 'log'>,
  pace = auditAnchors,
) {
  const keep = (line: string) => appendAnchor(dataDir, line)
  return anchorChain({ database, vault: keys.vault(), outside: outsideOf(dataDir), keep }, pace)
}
