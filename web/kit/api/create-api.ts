import { Refusal } from './refusal.ts'
import { retryUnauthorized, type SessionWatch } from './retry-unauthorized.ts'

interface Operation {
  method: string
  url: string
  answer: unknown
}

// The contract's operations under names such as 'POST /cards/check'.
export type Calls<Operations> = {
  [One in Operations[keyof Operations] & Operation as `${One['method']} ${One['url']}`]: One
}
type Given<One> = Omit<One, 'method' | 'url' | 'answer'>
type AnswerOf<One> = One extends { answer: infer Answer } ? Answer : never
type Rest<One> = keyof Given<One> extends never ? [] : [given: Given<One>]

// Longer than the service lets its database take, so that its own answer comes first.
const TIMEOUT_MS = 15_000

// All calls of one audience's pages, typed by its contract. `path` is where its operations are.
export function createApi<Operations, Code extends string>(path: string) {
  type Known = Calls<Operations>
  let session: SessionWatch = { isStillSignedIn: async () => false, onEnded() {} }

  async function callApi<Key extends keyof Known & string>(
    key: Key,
    ...[given]: Rest<Known[Key]>
  ): Promise<AnswerOf<Known[Key]>> {
    const [method, route] = key.split(' ') as [string, string]
    const { params = {}, query, body } = (given ?? {}) as Partial<Record<'params' | 'query' | 'body', object>>
    const once = async () => {
      const response = await send<Code>(addressOf(route, params, query), method, body)
      if (response.status === 204) return null
      if (response.ok) return response.json()
      throw await readRefusal<Code>(response)
    }
    return retryUnauthorized(once, session)
  }

  // Also for links that the browser follows itself, such as a download.
  function addressOf(route: string, params: object, query?: object): string {
    const filled = route.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(String((params as Record<string, string>)[name])),
    )
    const wanted = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
    return path + filled + (wanted.length > 0 ? `?${new URLSearchParams(wanted)}` : '')
  }

  // The file that keeps the session registers itself here. An import the other way round would be a circle: it makes its
  // calls through this one.
  function watchSession(watch: SessionWatch): void {
    session = watch
  }

  return { callApi, addressOf, watchSession }
}

async function send<Code extends string>(
  address: string,
  method: string,
  body: object | undefined,
): Promise<Response> {
  try {
    return await fetch(address, {
      method,
      headers: {
        accept: 'application/json, application/problem+json',
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      // Balances and prices must not come from a cache.
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch {
    throw new Refusal<Code>('offline')
  }
}

interface Problem {
  code?: string
  contact?: string
  errors?: { pointer?: string; parameter?: string; detail: string }[]
}

async function readRefusal<Code extends string>(response: Response): Promise<Refusal<Code>> {
  // A proxy's answer has no problem document: its status decides.
  const wait = Number(response.headers.get('retry-after')) || undefined
  const problem = (await response.json().catch(() => ({}))) as Problem
  const code = problem.code ?? (response.status >= 500 ? 'service_unavailable' : 'invalid_request')
  const details = (problem.errors ?? []).map(
    ({ pointer, parameter, detail }) => `${pointer?.replace('#/', '') ?? parameter ?? ''} ${detail}`,
  )
  return new Refusal<Code>(code as Code, wait, problem.contact, details)
}
