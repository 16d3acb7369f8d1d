import { type Metrics, measureRequests } from '#app/metrics.ts'
import { BadSetting, type Config } from '#app/settings/config.ts'
import type { Log } from '#base/log.ts'
import type { AccountHolderProvider } from '#providers/account-holder/port.ts'
import { createSimulatedAccountHolder } from '#providers/account-holder/simulated.ts'

export function requireAccountHolder({ accountHolder: { provider } }: Config) {
  if (provider !== undefined) return provider
  throw new BadSetting('ACCOUNT_HOLDER', 'is required in live mode: portone, and its settings')
}

// A bad setting is thrown at once. Only the code of the provider in use is loaded.
export function createAccountHolder(
  config: Config,
  log: Log,
  metrics: Metrics,
): Promise<AccountHolderProvider> {
  const { portone } = config.accountHolder
  const provider = requireAccountHolder(config)
  const watch = { onRequest: measureRequests(metrics) }
  if (provider === 'simulated') return Promise.resolve(createSimulatedAccountHolder({ watch }))
  // Withdrawals are refused with 503 while the provider is away: none is paid out unchecked.
  const onCircuit = (open: boolean) => {
    if (open) log.error('provider does not look up bank accounts', { reason: provider })
    else log.info('provider looks up bank accounts again', { reason: provider })
    metrics.providerCircuit.set({ provider, channel: 'account_holder' }, open ? 1 : 0)
  }
  return import('#providers/account-holder/portone.ts').then(({ createPortoneAccountHolder }) =>
    createPortoneAccountHolder({ ...portone!, watch, onCircuit }),
  )
}
