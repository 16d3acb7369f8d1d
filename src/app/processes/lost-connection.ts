import type { Worker as Child } from 'node:cluster'

interface Handle {
  close(): void
}

// Node hands a connection to a process and closes its own copy once the process says that it has it. If the process is
// killed in between, the copy stays open, and the client waits for ever. There is at most one for each process.
export function closeLostConnection(child: Child): void {
  const sender = child.process
  const send = sender.send.bind(sender) as (message: unknown, ...rest: unknown[]) => boolean
  let handed: Handle | undefined
  sender.send = (message: unknown, ...rest: unknown[]) => {
    if ((message as { act?: string } | undefined)?.act === 'newconn') handed = rest[0] as Handle | undefined
    return send(message, ...rest)
  }
  child.once('exit', (code) => {
    // One that was closed already is left alone by `close`. A process that drained has given its own back.
    if (code !== 0) handed?.close()
  })
}
