import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const isUnderWay = ({ req, writableFinished }: ServerResponse) => req.complete && !writableFinished

// A stop waits for the answers under way. A client that stalls in the middle of its request would keep it waiting too, although
// nothing was done for it yet. The returned function closes every connection that waits for no answer.
export function watchArrivals(server: Server): () => void {
  // The answers of each connection since it last had none to give. A client may send its next request before it has the answer
  // to the last.
  const answers = new Map<Socket, ServerResponse[]>()
  server.on('connection', (socket: Socket) => {
    answers.set(socket, [])
    socket.once('close', () => answers.delete(socket))
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const known = answers.get(request.socket)
    if (known?.at(-1)?.writableFinished) known.length = 0
    known?.push(response)
  })
  return () => {
    for (const [socket, known] of answers) if (!known.some(isUnderWay)) socket.destroy()
  }
}
