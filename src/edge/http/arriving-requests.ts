import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

// A stop waits for what is being answered. A client that stalls in the middle of its request would keep it waiting too, although
// nothing was done for it yet. The returned function closes the connections without an answer under way.
export function watchArrivals(server: Server): () => void {
  const open = new Set<Socket>()
  const last = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    last.set(request.socket, { request, response })
  })
  const isAnswered = (socket: Socket) => {
    const exchange = last.get(socket)
    return exchange?.request.complete === true && !exchange.response.writableFinished
  }
  return () => {
    for (const socket of open) if (!isAnswered(socket)) socket.destroy()
  }
}
