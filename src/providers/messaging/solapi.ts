import { assert } from '#base/assert.ts'
import type { Secret } from '#base/crypto/secret.ts'
import { createCaller, type ServiceOptions, waitsOf } from './caller.ts'
import type { MessagingProvider } from './port.ts'
import { signSolapi } from './solapi-auth.ts'
import { findAtSolapi } from './solapi-find.ts'
import { createSolapiHook } from './solapi-hook.ts'
import { listAtSolapi } from './solapi-list.ts'
import { blamesAccount, sendToSolapi } from './solapi-send.ts'

export interface SolapiOptions extends ServiceOptions {
  url: string
  apiKey: string
  apiSecret: Secret<'solapi'>
  // Registered with the provider, digits only.
  sender: string
  // The KakaoTalk channel's pfId.
  channelId: string
  webhookSecret: Secret<'solapi-webhook'> | undefined
}

// They take 10,000 in a call. One lost answer leaves a whole call in doubt, so ours are smaller.
const MAX_BATCH = 500
// A signature is good for 15 minutes: a request still under way by then is refused when it arrives.
const ABSENT_AFTER_MS = 16 * 60_000

export function createSolapi(options: SolapiOptions): MessagingProvider {
  const caller = createCaller({
    ...options,
    provider: 'solapi',
    channels: ['alimtalk', 'text'],
    blamesAccount,
  })
  const sign = () => signSolapi(options.apiKey, options.apiSecret)
  return {
    name: 'solapi',
    channels: ['alimtalk', 'text'],
    maxBatch: MAX_BATCH,
    ...waitsOf(options, ABSENT_AFTER_MS),
    isAvailable: () => caller.isAvailable(),
    send(messages) {
      assert(messages.length <= MAX_BATCH, 'the caller keeps to maxBatch')
      return sendToSolapi(caller, sign, options, messages)
    },
    find: (asked) => findAtSolapi(caller, sign, asked),
    list: (window, cursor) => listAtSolapi(caller, sign, window, cursor),
    hook: options.webhookSecret && createSolapiHook(options.webhookSecret),
    close: () => caller.close(),
  }
}
