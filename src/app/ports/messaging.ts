import { type Metrics, measureRequests } from '#app/metrics.ts'
import { BadSetting, type Config, makeTogether } from '#app/settings/config.ts'
import type { Log } from '#base/log.ts'
import { startDeliveriesAtZero } from '#flows/deliveries/metrics.ts'
import type { OnDeliveryChange } from '#flows/deliveries/record-outcomes.ts'
import type { Imprint } from '#modules/deliveries/message-content.ts'
import { eucKrBytes } from '#modules/deliveries/messages/bytes.ts'
import { CONTACT_CHARACTERS, REGISTER_URL_CHARACTERS } from '#modules/deliveries/messages/check.ts'
import { isMendable } from '#modules/deliveries/rules.ts'
import type { MessagingProvider, ProviderName, ProviderWatch } from '#providers/messaging/port.ts'

const SANDBOX_CONTACT = 'help@ingot.example'

// How long we wait for a provider, and when we ask or try again. Tests shorten it.
export interface ProviderTimeouts {
  timeouts?: { connectMs?: number; answerMs?: number }
  circuit?: { failures?: number }
  pollAfterMs?: number
  absentAfterMs?: number
  retryAfterMs?: number
}

export function requireProviders({ messaging: { providers } }: Config): readonly ProviderName[] {
  if (providers.length > 0) return providers
  throw new BadSetting('MESSAGING', 'is required in live mode: solapi, or solapi,nhn, and their settings')
}

// A bad setting is thrown at once. Only the code of the providers in use is loaded.
export function createProviders(
  config: Config,
  log: Log,
  metrics: Metrics,
  providerTimeouts: ProviderTimeouts = {},
): Promise<MessagingProvider[]> {
  const { solapi, nhn } = config.messaging
  const providers = requireProviders(config)
  if (config.mode === 'sandbox' && !providers.includes('simulated')) {
    log.warn('messages leave this sandbox for real phones', { reason: providers.join(',') })
  }
  const watch = watchProviders(log, metrics)
  const make: Record<ProviderName, () => Promise<MessagingProvider>> = {
    async solapi() {
      const { createSolapi } = await import('#providers/messaging/solapi.ts')
      return createSolapi({ ...solapi!, ...providerTimeouts, watch })
    },
    async nhn() {
      const { createNhn } = await import('#providers/messaging/nhn.ts')
      return createNhn({ ...nhn!, ...providerTimeouts, watch })
    },
    async simulated() {
      const { createSimulated } = await import('#providers/messaging/simulated.ts')
      return createSimulated({ watch })
    },
  }
  return Promise.all(providers.map((name) => make[name]())).then((made) => {
    startDeliveriesAtZero(metrics, made)
    return made
  })
}

function watchProviders(log: Log, metrics: Metrics): ProviderWatch {
  return {
    onRequest: measureRequests(metrics),
    onCircuit: (provider, channels, open) => {
      if (open) log.error('provider does not take messages', { reason: provider })
      else log.info('provider takes messages again', { reason: provider })
      for (const channel of channels) metrics.providerCircuit.set({ provider, channel }, open ? 1 : 0)
    },
  }
}

// The fixed parts of every message, with lengths that always fit.
export function imprintOf(config: Config): Imprint {
  return makeTogether({ registerUrl: () => registerUrlOf(config), contact: () => contactOf(config) })
}

function registerUrlOf({ publicUrl, publicUrlGiven, mode }: Config): string {
  if (mode === 'live' && !publicUrlGiven) {
    throw new BadSetting('PUBLIC_URL', 'is required in live mode: it stands in every message')
  }
  const registerUrl = `${publicUrl}/`
  if (registerUrl.length > REGISTER_URL_CHARACTERS) {
    throw new BadSetting(
      'PUBLIC_URL',
      `has more than the ${REGISTER_URL_CHARACTERS - 1} characters a message has room for`,
    )
  }
  return registerUrl
}

function contactOf({ mode, messaging, operator }: Config): string {
  const contact = messaging.contact ?? operator.phone ?? (mode === 'sandbox' ? SANDBOX_CONTACT : undefined)
  if (contact === undefined) {
    throw new BadSetting(
      'SUPPORT_CONTACT',
      'is required in live mode, or OPERATOR_PHONE: whom recipients can ask',
    )
  }
  if (
    contact.length > CONTACT_CHARACTERS ||
    eucKrBytes(contact) === undefined ||
    /[\r\n]|#\{/.test(contact)
  ) {
    throw new BadSetting(
      'SUPPORT_CONTACT',
      `is not one line of at most ${CONTACT_CHARACTERS} characters that texts can carry`,
    )
  }
  return contact
}

const TOLD_MS = 60_000

// Counts every change. Failures that an operator can repair are also logged, each kind once a minute: they come by
// the thousand.
export function watchChanges(log: Log, metrics: Metrics): OnDeliveryChange {
  const toldAt = new Map<string, number>()
  return ({ isNews, provider, status, reason }, channel) => {
    if (!isNews) return
    metrics.deliveries.inc({ provider: provider ?? 'none', channel, status, reason: reason ?? '' })
    if ((status !== 'failed' && status !== 'unknown') || !isMendable(reason)) return
    const kind = `${channel} ${reason}`
    if (performance.now() - (toldAt.get(kind) ?? Number.NEGATIVE_INFINITY) < TOLD_MS) return
    toldAt.set(kind, performance.now())
    log.error('messages do not arrive', { reason: kind })
  }
}
