import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

// A stop waits for the answers under way. A client that stalls in the middle of its request would keep it waiting too, although
// nothing was done for it yet. The returned function closes every connection that waits for no answer.
export function watchArrivals(server: Server): () => void {
  // The answers that each connection waits for: several, if its client sends the next request before it has the last answer.
  // What is answered is not kept, or thousands of idle connections would hold the memory of their last requests.
  const awaited = new Map<Socket, Set<ServerResponse>>()
  server.on('connection', (socket: Socket) => {
    awaited.set(socket, new Set())
    socket.once('close', () => awaited.delete(socket))
  })
  // One function for all: it runs for every request.
  function forget(this: ServerResponse): void {
    awaited.get(this.req.socket)?.delete(this)
  }
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    awaited.get(socket)?.add(response)
    response.on('close', forget)
  })
  return () => {
    for (const [socket, answers] of awaited)
      if (![...answers].some((answer) => answer.req.complete)) socket.destroy()
  }
}
