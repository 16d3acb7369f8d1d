import { once } from 'node:events'
import { connect } from 'node:net'

// By a connection of its own: on those that are open a server that drains still answers.
export async function isListening(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const connected = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return connected
}
