import { BadSetting, type Config } from '#app/config.ts'
import type { Metrics } from '#base/metrics.ts'
import type { OnDeliveryChange } from '#flows/note-deliveries.ts'
import type { Imprint } from '#modules/deliveries/letters.ts'
import { eucKrBytes } from '#modules/deliveries/messages/bytes.ts'
import { CONTACT_CHARACTERS, REGISTER_URL_CHARACTERS } from '#modules/deliveries/messages/check.ts'
import { createNhn } from '#providers/messaging/nhn.ts'
import type { MessagingProvider, ProviderName, ProviderWatch } from '#providers/messaging/port.ts'
import { createSimulated } from '#providers/messaging/simulated.ts'
import { createSolapi } from '#providers/messaging/solapi.ts'

const SANDBOX_CONTACT = 'help@ingot.example'

// How patient a provider's callers are; tests are less so.
export interface Patience {
  timeouts?: { connectMs?: number; answerMs?: number }
  circuit?: { failures?: number }
  pollAfterMs?: number
  absentAfterMs?: number
  retryAfterMs?: number
}

export function createProviders(
  config: Config,
  metrics: Metrics,
  patience: Patience = {},
): MessagingProvider[] {
  const { providers, solapi, nhn } = config.messaging
  if (providers.length === 0) {
    throw new BadSetting('MESSAGING', 'is required in live mode: solapi, or solapi,nhn, and their settings')
  }
  const watch = watchProviders(metrics)
  const made: Record<ProviderName, () => MessagingProvider> = {
    solapi: () => createSolapi({ ...solapi!, ...patience, watch }),
    nhn: () => createNhn({ ...nhn!, ...patience, watch }),
    simulated: () => createSimulated({ watch }),
  }
  return providers.map((name) => made[name]())
}

function watchProviders(metrics: Metrics): ProviderWatch {
  return {
    onRequest: ({ provider, call, outcome, ms }) =>
      metrics.providerSeconds.observe({ provider, call, outcome }, ms / 1000),
    onCircuit: (provider, channels, open) => {
      for (const channel of channels) metrics.providerCircuit.set({ provider, channel }, open ? 1 : 0)
    },
  }
}

// What stands in every message, held to what every message has room for.
export function imprintOf({ publicUrl, mode, messaging }: Config): Imprint {
  const registerUrl = `${publicUrl}/`
  if (registerUrl.length > REGISTER_URL_CHARACTERS) {
    throw new BadSetting(
      'PUBLIC_URL',
      `has more than the ${REGISTER_URL_CHARACTERS - 1} characters a message has room for`,
    )
  }
  const contact = messaging.contact ?? (mode === 'sandbox' ? SANDBOX_CONTACT : undefined)
  if (contact === undefined) {
    throw new BadSetting('SUPPORT_CONTACT', 'is required in live mode: whom recipients can ask')
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
  return { registerUrl, contact }
}

export function countChanges(metrics: Metrics): OnDeliveryChange {
  return ({ isNews, provider, status, reason }, channel) => {
    if (isNews)
      metrics.deliveries.inc({ provider: provider ?? 'none', channel, status, reason: reason ?? '' })
  }
}
