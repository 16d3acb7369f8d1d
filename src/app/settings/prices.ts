import { Secret } from '#base/crypto/secret.ts'
import { PRICE_FEEDS, type PriceFeedName } from '#providers/metal-price/port.ts'
import { type Mode, readChoice, readUrl, required, type SettingSource } from './setting-source.ts'

// Who says what metal costs, and what they know us by. Read by config.ts.
export interface PriceSettings {
  feed: PriceFeedName | undefined
  goldapi: GoldapiSettings | undefined
}

interface GoldapiSettings {
  url: string
  token: Secret<'goldapi'>
}

export function readPrices(source: SettingSource, mode: Mode): PriceSettings {
  const feed = readChoice(source, 'PRICES', PRICE_FEEDS, mode, 'in live mode metal is bought at real prices')
  return { feed, goldapi: feed === 'goldapi' ? readGoldapi(source) : undefined }
}

function readGoldapi(source: SettingSource): GoldapiSettings {
  return {
    url: readUrl(source, 'GOLDAPI_URL', 'https://www.goldapi.io'),
    token: new Secret(required(source, 'PRICES', 'GOLDAPI_TOKEN')),
  }
}
