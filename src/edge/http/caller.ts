import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { plainAddress } from '#base/http/networks.ts'

// Some proxies write a port behind the address they forward: 203.0.113.7:41000, [2001:db8::7]:41000.
const WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$|^\[([0-9a-fA-F:.]+)\](?::\d{1,5})?$/

export function withoutPort(address: string): string {
  const [, v4, v6] = WITH_PORT.exec(address.trim()) ?? []
  return v4 ?? v6 ?? address.trim()
}

// The caller's address as the trusted proxies give it. Undefined if they forward something that is not an address.
// Rights depend on this one.
export function namedAddress(request: FastifyRequest): string | undefined {
  const named = withoutPort(request.ip)
  return isIP(named) === 0 ? undefined : plainAddress(named)
}

// The same for counting. Text that is not an address counts as the proxy that passed it on. Otherwise a caller could
// choose a new name for every request.
export function callerAddress(request: FastifyRequest): string {
  // `ips` goes from the nearest hop to the caller, so the last but one wrote the caller's entry.
  const proxy = request.ips?.at(-2) ?? request.socket.remoteAddress ?? ''
  return namedAddress(request) ?? plainAddress(withoutPort(proxy))
}

// Aborts when the caller hangs up before the answer.
export function hangUpOf(reply: FastifyReply): AbortSignal {
  // Costly work stops early, such as a password check that waits for its turn.
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort('the caller hung up')
  })
  return gone.signal
}
