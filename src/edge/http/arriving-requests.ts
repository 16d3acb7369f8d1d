import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

// What a connection waits for. Its requests come one after the other, so all but the newest have arrived as a whole.
interface Awaited {
  answers: number
  newest: ServerResponse | undefined
}

// A stop waits for the answers under way. A client that stalls in the middle of its request would keep it waiting too, although
// nothing was done for it yet. The returned function closes every connection that waits for no answer.
export function watchArrivals(server: Server): () => void {
  // What is answered is not kept, or thousands of idle connections would hold the memory of their last requests. No set of
  // answers for each connection either: V8 links the tables of a set to their successors, and old ones keep all later ones alive.
  const connections = new Map<Socket, Awaited>()
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { answers: 0, newest: undefined })
    socket.once('close', () => connections.delete(socket))
  })
  // One function for all: it runs for every request.
  function forget(this: ServerResponse): void {
    const awaited = connections.get(this.req.socket)
    if (!awaited) return
    awaited.answers -= 1
    if (awaited.newest === this) awaited.newest = undefined
  }
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const awaited = connections.get(socket)
    if (!awaited) return
    awaited.answers += 1
    awaited.newest = response
    response.on('close', forget)
  })
  return () => {
    for (const [socket, { answers, newest }] of connections)
      if (answers === 0 || (answers === 1 && newest?.req.complete === false)) socket.destroy()
  }
}
