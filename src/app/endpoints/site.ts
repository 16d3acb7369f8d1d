import type { Shared } from '#app/endpoints/shared.ts'
import type { SiteDeps } from '#edge/site/deps.ts'
import { createReadInbox } from '#flows/deliveries/read-inbox.ts'
import { createEnterWebView } from '#flows/sessions/enter-web-view.ts'
import { MAGIC_NUMBERS } from '#providers/messaging/magic-numbers.ts'

const MAGIC = Object.entries(MAGIC_NUMBERS).map(([digits, { does }]) => ({
  number: `010-0000-${digits}`,
  does,
}))

export function siteDeps(shared: Shared): SiteDeps {
  const { http, config, database, keys, metrics, queue, messaging, operator, party } = shared
  const { readiness, isMoved, readMetrics, pages, today, continueSession } = shared
  const isSimulated = config.messaging.providers.includes('simulated')
  return {
    ...http,
    metrics,
    readiness,
    isMoved,
    readMetrics,
    pages,
    operator,
    today,
    passkeyOrigin: party?.origin,
    enterWebView: createEnterWebView(database, queue),
    continueSession,
    readInbox: createReadInbox({ database, keys, imprint: messaging.imprint }),
    magicNumbers: isSimulated ? MAGIC : [],
  }
}
