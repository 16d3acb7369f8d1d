import type { ErrorCode, Operations } from '../../../../contract/member.gen.ts'
import { API_PATH } from '../environment.ts'
import { Refusal } from './refusal.ts'
import { retryUnauthorized, type SessionWatch } from './retry-unauthorized.ts'

type Operation = Operations[keyof Operations]
// The contract's operations under names such as 'POST /cards/check'.
type Calls = { [One in Operation as `${One['method']} ${One['url']}`]: One }
export type AnswerTo<Key extends keyof Calls> = Calls[Key]['answer']
type Given<Key extends keyof Calls> = Omit<Calls[Key], 'method' | 'url' | 'answer'>
type Rest<Key extends keyof Calls> = keyof Given<Key> extends never ? [] : [given: Given<Key>]

// Longer than the service lets its database take, so that its own answer comes first.
const TIMEOUT_MS = 15_000

let session: SessionWatch = { isStillSignedIn: async () => false, onEnded() {} }

// session.ts registers itself here. An import the other way round would be a circle: it makes its calls through this file.
export function watchSession(watch: SessionWatch): void {
  session = watch
}

export async function callApi<Key extends keyof Calls>(
  key: Key,
  ...[given]: Rest<Key>
): Promise<AnswerTo<Key>> {
  const [method, path] = key.split(' ') as [string, string]
  const { params = {}, query, body } = (given ?? {}) as Partial<Record<'params' | 'query' | 'body', object>>
  const once = async () => {
    const response = await send(addressOf(path, params, query), method, body)
    if (response.status === 204) return null as AnswerTo<Key>
    if (response.ok) return (await response.json()) as AnswerTo<Key>
    throw await readRefusal(response)
  }
  return retryUnauthorized(once, session)
}

// Also for links that the browser follows itself, such as a download.
export function addressOf(path: string, params: object, query?: object): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, string>)[name])),
  )
  const wanted = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  return API_PATH + filled + (wanted.length > 0 ? `?${new URLSearchParams(wanted)}` : '')
}

async function send(address: string, method: string, body: object | undefined): Promise<Response> {
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
    throw new Refusal('offline')
  }
}

async function readRefusal(response: Response): Promise<Refusal> {
  // A proxy's answer has no problem document: its status decides.
  const wait = Number(response.headers.get('retry-after')) || undefined
  const problem = (await response.json().catch(() => ({}))) as { code?: ErrorCode; contact?: string }
  return new Refusal(
    problem.code ?? (response.status >= 500 ? 'service_unavailable' : 'invalid_request'),
    wait,
    problem.contact,
  )
}
