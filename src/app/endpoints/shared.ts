import type { Metrics } from '#app/metrics.ts'
import type { Runtime } from '#app/runtime.ts'
import type { Messaging } from '#app/server/worker.ts'
import type { Config } from '#app/settings/config.ts'
import { VERSION } from '#app/version.ts'
import { createWorkQueue } from '#base/queues/work-queue.ts'
import { createServiceToday } from '#base/time/service-clock.ts'
import type { HttpDeps } from '#edge/http/deps.ts'
import { hostName } from '#edge/http/forwarding.ts'
import type { SiteDeps } from '#edge/site/deps.ts'
import { createGuard } from '#flows/guesses/guard-guesses.ts'
import { createContinueSession } from '#flows/sessions/continue-session.ts'
import type { PasswordCost } from '#modules/accounts/password.ts'
import type { LegalTexts } from '#modules/operator/types.ts'
import type { KeyId } from '#modules/partners/types.ts'
import { relyingPartyOf } from '#modules/passkeys/rules.ts'
import type { AccountHolderProvider } from '#providers/account-holder/port.ts'
import type { IdentityProvider } from '#providers/identity/port.ts'

const LOOPBACK = ['localhost', '127.0.0.1', '::1']

export interface Parts {
  metrics: Metrics
  messaging: Messaging
  identity: IdentityProvider
  accountHolder: AccountHolderProvider
  noteKeyUse(id: KeyId): void
  recordRequest: HttpDeps['recordRequest']
  pages: SiteDeps['pages']
  texts: LegalTexts
  readiness: SiteDeps['readiness']
  isMoved: SiteDeps['isMoved']
  // Undefined: what the service takes.
  passwordCost: PasswordCost | undefined
  readMetrics: SiteDeps['readMetrics']
  takeToken: HttpDeps['takeToken']
}

export type Shared = ReturnType<typeof share>

// What several audiences use, made once: they share its batches, its queue and its memory.
export function share(runtime: Runtime, parts: Parts) {
  const { config, database, keys, log } = runtime
  const http: HttpDeps = {
    publicUrl: config.publicUrl,
    version: VERSION,
    keyMode: config.mode === 'live' ? 'live' : 'test',
    trustedProxies: config.trustedProxies,
    own: ownNames(config),
    log,
    metrics: parts.metrics,
    recordRequest: parts.recordRequest,
    takeToken: parts.takeToken,
    contact: parts.messaging.imprint.contact,
  }
  return {
    ...parts,
    http,
    config,
    database,
    keys,
    log,
    queue: createWorkQueue(),
    today: createServiceToday(database),
    // One guard for all routes: its queues keep a hundred tries at once from being a hundred guesses.
    guard: createGuard({ database, keys, log, metrics: parts.metrics }),
    continueSession: createContinueSession({ database, keys }),
    operator: {
      details: config.operator.operator,
      isSample: config.operator.isSample,
      texts: parts.texts,
    },
    party: relyingPartyOf(config.publicUrl),
    observeBatch: (batch: string) => (size: number) => parts.metrics.batchSize.observe({ batch }, size),
  }
}

// How callers name us, from elsewhere and on this machine.
function ownNames({ publicUrl, host }: Config): HttpDeps['own'] {
  const { host: name, origin: publicOrigin } = new URL(publicUrl)
  const publicHost = hostName(name)
  return { publicHost, publicOrigin, directHosts: new Set([publicHost, host, ...LOOPBACK]) }
}
