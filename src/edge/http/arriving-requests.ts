import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

const isOpen = ({ response }: Exchange) => !response.writableFinished
const isUnderWay = (exchange: Exchange) => exchange.request.complete && isOpen(exchange)

// A stop waits for the answers under way. A client that stalls in the middle of its request would keep it waiting too, although
// nothing was done for it yet. The returned function closes every connection that waits for no answer.
export function watchArrivals(server: Server): () => void {
  const sockets = new Set<Socket>()
  // A client may send its next request before it has the answer to the last.
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
    for (const socket of sockets) if (!exchanges.get(socket)?.some(isUnderWay)) socket.destroy()
  }
}
