import { METALS } from '#providers/metal-price/port.ts'
import { createFaulty } from '#stand-ins/faults.ts'
import { type Reply, type StandInRequest, serveHttp } from '#stand-ins/http.ts'

// goldapi.io as its documents have it.

export interface GoldapiStandInOptions {
  port?: number | undefined
  token: string
  // In won for a troy ounce.
  prices?: Readonly<Record<string, number>> | undefined
  // How long ago the price was made; below zero for a clock that is ahead.
  ageSeconds?: number | undefined
  // Requests that a plan has; the rest is 429.
  quota?: number | undefined
  // Has the last word on what is answered.
  distort?: ((body: Record<string, unknown>) => unknown) | undefined
}

const OUNCE_GRAMS = 31.1034768
const PRICES = { XAU: 6_174_040.14, XAG: 77_136.62 }
const CURRENCIES = ['USD', 'EUR', 'KRW', 'JPY']
const CARATS = [24, 22, 21, 20, 18, 16, 14, 10]

const refused = (status: number, error: string): Reply => ({ status, body: { error } })
const to4 = (value: number) => Number(value.toFixed(4))

export async function startGoldapiStandIn(options: GoldapiStandInOptions) {
  const requests: string[] = []
  const faulty = createFaulty()
  const answer = ({ method, path, headers }: StandInRequest): Reply => {
    requests.push(path)
    if (method !== 'GET') return refused(405, 'Method Not Allowed')
    if (headers['x-access-token'] === undefined) return refused(403, 'No API Key provided')
    if (headers['x-access-token'] !== options.token) return refused(403, 'Invalid API Key')
    if (requests.length > (options.quota ?? Number.POSITIVE_INFINITY)) {
      return refused(429, 'Monthly API quota exceeded')
    }
    const [, api, metal = '', currency = ''] = path.split('/')
    if (api !== 'api' || !METALS.some((one) => one === metal) || !CURRENCIES.includes(currency)) {
      return refused(404, 'No data available for this date or pair.')
    }
    const price = (options.prices ?? PRICES)[metal as keyof typeof PRICES]
    if (price === undefined)
      return { status: 200, body: { error: 'No data available for this date or pair.' } }
    const body = quote(metal, currency, price, options.ageSeconds ?? 0)
    return { status: 200, body: options.distort ? options.distort(body) : body }
  }
  const server = await serveHttp({
    port: options.port,
    handle: (request) => faulty.handle(request, () => answer(request)),
  })
  return { ...server, requests, breakAll: faulty.breakAll }
}

function quote(metal: string, currency: string, price: number, ageSeconds: number): Record<string, unknown> {
  const timestamp = Math.floor(Date.now() / 1000) - ageSeconds
  const before = to4(price * 0.997)
  const carats = CARATS.map((carat) => [`price_gram_${carat}k`, to4((price * carat) / 24 / OUNCE_GRAMS)])
  return {
    timestamp,
    metal,
    currency,
    exchange: 'FOREXCOM',
    symbol: `FOREXCOM:${metal}${currency}`,
    prev_close_price: before,
    open_price: before,
    low_price: to4(price * 0.995),
    high_price: to4(price * 1.002),
    open_time: timestamp - 3_600,
    price,
    ch: to4(price - before),
    chp: 0.3,
    ask: to4(price * 1.0002),
    bid: to4(price * 0.9998),
    ...Object.fromEntries(carats),
  }
}
