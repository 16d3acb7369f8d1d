import { type Metrics, measureRequests } from '#app/metrics.ts'
import { BadSetting, type Config } from '#app/settings/config.ts'
import type { Log } from '#base/log.ts'
import type { IdentityProvider, IdentityWatch } from '#providers/identity/port.ts'
import { createSimulatedIdentity } from '#providers/identity/simulated.ts'

export function requireIdentity({ identity: { provider } }: Config) {
  if (provider !== undefined) return provider
  throw new BadSetting('IDENTITY', 'is required in live mode: portone, and its settings')
}

// A bad setting is thrown at once. Only the code of the provider in use is loaded.
export function createIdentity(config: Config, log: Log, metrics: Metrics): Promise<IdentityProvider> {
  const { portone } = config.identity
  const provider = requireIdentity(config)
  const watch: IdentityWatch = { onRequest: measureRequests(metrics) }
  if (provider === 'simulated') return Promise.resolve(createSimulatedIdentity({ watch }))
  // Legal, for a rehearsal, and a surprise to everyone who is called. So it is said at each start.
  if (config.mode === 'sandbox') {
    log.warn('verifications of this sandbox reach real phones', { reason: provider })
  }
  const onCircuit = (open: boolean) => {
    if (open) log.error('provider does not verify anybody', { reason: provider })
    else log.info('provider verifies again', { reason: provider })
    metrics.providerCircuit.set({ provider, channel: 'identity' }, open ? 1 : 0)
  }
  return import('#providers/identity/portone.ts').then(({ createPortone }) =>
    createPortone({ ...portone!, watch, onCircuit }),
  )
}
