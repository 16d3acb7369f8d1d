import { setTimeout as sleep } from 'node:timers/promises'
import { TokenBucket } from '#base/queues/token-bucket.ts'
import { type Answer, call, liveOrigins } from './http-calls.ts'

type Headers = Record<string, string>

let addresses = 0

// Below what the service allows a session (src/edge/http/request-rate.ts).
const PACE = { perSecond: 18, burst: 35 }

// A browser that is on our pages: it keeps cookies by name and path, and says what browsers say.
export class Browser {
  readonly cookies = new Map<string, string>()
  url: string
  readonly prefix: string
  headers: Headers
  // No answer within this is an error; without it the wait is fetch's own.
  timeoutMs: number | undefined
  readonly #bucket = new TokenBucket(PACE.perSecond, performance.now(), PACE.burst)
  #underWay = 0

  constructor(url: string, prefix = '/member', headers: Headers = {}) {
    this.url = url
    this.prefix = prefix
    addresses += 1
    this.headers = {
      accept: 'application/problem+json',
      'sec-fetch-site': 'same-origin',
      ...(liveOrigins.has(url) ? { origin: liveOrigins.get(url)! } : {}),
      'x-forwarded-for': `198.51.${addresses >> 8}.${addresses & 255}`,
      ...headers,
    }
  }

  get(path: string, headers: Headers = {}): Promise<Answer> {
    return this.send('GET', this.prefix + path, undefined, headers)
  }

  post(path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    return this.send('POST', this.prefix + path, body, headers)
  }

  put(path: string, body?: unknown): Promise<Answer> {
    return this.send('PUT', this.prefix + path, body)
  }

  delete(path: string): Promise<Answer> {
    return this.send('DELETE', this.prefix + path)
  }

  async send(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    await this.#keepPace()
    this.#underWay += 1
    try {
      return await this.#send(method, path, body, headers)
    } finally {
      this.#underWay -= 1
    }
  }

  // One request after the other never meets the limit of a session, however fast the machine is. Many at once may.
  async #keepPace(): Promise<void> {
    const mayGo = () => this.#bucket.take(PACE.perSecond, performance.now(), PACE.burst).allowed
    while (!mayGo() && this.#underWay === 0) await sleep(1_000 / PACE.perSecond)
  }

  async #send(method: string, path: string, body: unknown, headers: Headers): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await call(`${this.url}${path}`, {
      method,
      redirect: 'manual',
      ...(this.timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(this.timeoutMs) }),
      headers: {
        ...this.headers,
        ...(cookie ? { cookie } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const set of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      if (/Max-Age=0;/.test(set)) this.cookies.delete(name!)
      else this.cookies.set(name!, value!)
    }
    return answer
  }

  // Opens the web view, with the key that a partner fetched.
  async enter(hashKey: string): Promise<Answer> {
    return this.send('GET', `/webview/${hashKey}`)
  }
}
