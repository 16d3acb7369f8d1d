import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

const isOpen = ({ response }: Exchange) => !response.writableFinished
const isAnswered = (exchange: Exchange) => exchange.request.complete && isOpen(exchange)

// A stop waits for what is being answered. A client that stalls in the middle of its request would keep it waiting too, although
// nothing was done for it yet. The returned function closes the connections without an answer under way.
export function watchArrivals(server: Server): () => void {
  const sockets = new Set<Socket>()
  // Several on one connection, where a client does not wait for its answers.
  const exchanges = new WeakMap<Socket, Exchange[]>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const before = exchanges.get(request.socket)?.filter(isOpen) ?? []
    exchanges.set(request.socket, [...before, { request, response }])
  })
  return () => {
    for (const socket of sockets) if (!exchanges.get(socket)?.some(isAnswered)) socket.destroy()
  }
}
