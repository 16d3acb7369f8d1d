import { assert } from '#base/assert.ts'
import type { Secret } from '#base/crypto/secret.ts'
import { recordOf, textOf } from '#base/text/untrusted-json.ts'
import { createCaller, type ServiceOptions, waitsOf } from './caller.ts'
import { nhnRefusal } from './nhn-codes.ts'
import { findAtNhn } from './nhn-find.ts'
import { createNhnHook } from './nhn-hook.ts'
import { listAtNhn, type Product } from './nhn-list.ts'
import { sendToNhn } from './nhn-send.ts'
import type { Channel, MessagingProvider } from './port.ts'

// Notifications and texts are two products with an address and keys each.
interface NhnProduct {
  url: string
  appKey: string
  secretKey: Secret<'nhn'>
}

export interface NhnOptions extends ServiceOptions {
  alimtalk: NhnProduct & { senderKey: string }
  // `sender`: registered with the provider, digits only.
  text: NhnProduct & { sender: string }
  webhookSecret: Secret<'nhn-webhook'> | undefined
}

// They take 1,000 recipients in a request; but texts go one by one, and 200 of them take about a second.
const MAX_BATCH = 200
// Nothing bounds how long a request can hang on its way; ours are cut off after 10 s, and this is far beyond it.
const ABSENT_AFTER_MS = 15 * 60_000

export function createNhn(options: NhnOptions): MessagingProvider {
  const products = {
    alimtalk: productOf(options, 'alimtalk', `/alimtalk/v2.3/appkeys/${options.alimtalk.appKey}/messages`),
    text: productOf(options, 'text', `/sms/v3.0/appKeys/${options.text.appKey}/sender/mms`),
  }
  const senders = { senderKey: options.alimtalk.senderKey, sendNo: options.text.sender }
  return {
    name: 'nhn',
    channels: ['alimtalk', 'text'],
    maxBatch: MAX_BATCH,
    ...waitsOf(options, ABSENT_AFTER_MS),
    isAvailable: (channel) => products[channel].caller.isAvailable(),
    send(messages) {
      assert(messages.length <= MAX_BATCH, 'the caller keeps to maxBatch')
      return sendToNhn(products, senders, messages)
    },
    find: (asked) => findAtNhn(products, asked),
    list: (window, cursor) => listAtNhn(products, window, cursor),
    hook: options.webhookSecret && createNhnHook(options.webhookSecret),
    close: async () => {
      await Promise.all([products.alimtalk.caller.close(), products.text.caller.close()])
    },
  }
}

function productOf(options: NhnOptions, channel: Channel, path: string): Product {
  const { url, secretKey } = options[channel]
  const caller = createCaller({
    ...options,
    url,
    provider: 'nhn',
    channels: [channel],
    blamesAccount(body) {
      const code = textOf(recordOf(recordOf(body).header).resultCode) ?? '0'
      if (code === '0') return false
      const outcome = nhnRefusal(channel, code)
      return outcome.kind === 'refused' && outcome.reason === 'unauthorized'
    },
  })
  return { caller, path, secretKey }
}
