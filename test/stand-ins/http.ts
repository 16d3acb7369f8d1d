import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StandInRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: unknown
}

// Text is sent as it is, whatever it may be.
export type Reply = { status: number; body: unknown } | { status: number; text: string } | 'reset' | 'hang'

interface Serving {
  port?: number | undefined
  handle(request: StandInRequest): Reply | Promise<Reply>
  onArrived?(request: StandInRequest): void | Promise<void>
  onAnswered?(request: StandInRequest): void | Promise<void>
}

// What every stand-in is: somebody else's service, over real HTTP on this machine.
export async function serveHttp(serving: Serving) {
  const server = createServer((message, response) => {
    serve(message, response, serving).catch(() => message.socket.destroy())
  })
  server.keepAliveTimeout = 30_000
  server.listen(serving.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    isOpen: () => server.listening,
    async close() {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function serve(message: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  const { pathname, searchParams } = new URL(message.url ?? '/', 'http://stand-in')
  const request: StandInRequest = {
    method: message.method ?? '',
    path: pathname,
    query: searchParams,
    headers: message.headers,
    body: parse(Buffer.concat(chunks)),
  }
  await serving.onArrived?.(request)
  const reply = await serving.handle(request)
  if (reply === 'reset') message.socket.resetAndDestroy()
  if (reply === 'reset' || reply === 'hang') return
  const body = 'text' in reply ? reply.text : JSON.stringify(reply.body)
  response.writeHead(reply.status, {
    'content-type': 'application/json;charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
  await serving.onAnswered?.(request)
}

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
