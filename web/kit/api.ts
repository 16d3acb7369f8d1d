import type { ErrorCode, Operations } from '../../contract/member.gen.ts'
import { onceMore, Refusal, type SignedOut } from './once-more.ts'
import { API_PATH } from './place.ts'

export { isLost, Refusal, refusalOf } from './once-more.ts'

type Operation = Operations[keyof Operations]
// 'POST /cards/check' and so on: the contract's operations by how they are asked for.
type Asked = { [One in Operation as `${One['method']} ${One['url']}`]: One }
export type AnswerTo<Key extends keyof Asked> = Asked[Key]['answer']
type Given<Key extends keyof Asked> = Omit<Asked[Key], 'method' | 'url' | 'answer'>
type Rest<Key extends keyof Asked> = keyof Given<Key> extends never ? [] : [given: Given<Key>]

const PATIENCE_MS = 15_000

let signedOut: SignedOut = { isStill: async () => false, onEnded() {} }

// Who is asked and told when a session seems to have ended.
export function listenForSignedOut(listener: SignedOut): void {
  signedOut = listener
}

export async function ask<Key extends keyof Asked>(key: Key, ...[given]: Rest<Key>): Promise<AnswerTo<Key>> {
  const [method, path] = key.split(' ') as [string, string]
  const { params = {}, query, body } = (given ?? {}) as Partial<Record<'params' | 'query' | 'body', object>>
  const once = async () => {
    const response = await send(addressOf(path, params, query), method, body)
    if (response.status === 204) return null as AnswerTo<Key>
    if (response.ok) return (await response.json()) as AnswerTo<Key>
    throw await readRefusal(response)
  }
  return onceMore(once, signedOut)
}

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
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
  } catch {
    throw new Refusal('offline')
  }
}

async function readRefusal(response: Response): Promise<Refusal> {
  const wait = Number(response.headers.get('retry-after')) || undefined
  const problem = (await response.json().catch(() => ({}))) as { code?: ErrorCode; contact?: string }
  return new Refusal(
    problem.code ?? (response.status >= 500 ? 'service_unavailable' : 'invalid_request'),
    wait,
    problem.contact,
  )
}
