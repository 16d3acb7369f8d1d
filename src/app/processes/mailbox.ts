// Takes the supervisor's messages, those that came before it among them.
export type Mailbox = (receive: (message: unknown) => void) => void

// Opened before a process loads its code. Otherwise `stop` would be lost if it came meanwhile, and Ctrl-C, which a terminal
// sends to all processes, would end this one: the supervisor says what follows.
export function openMailbox(): Mailbox {
  const early: unknown[] = []
  let deliver: (message: unknown) => unknown = (message) => early.push(message)
  process.on('message', (message) => deliver(message))
  // The channel does not keep a process alive that is done, be it for a bad setting.
  process.channel?.unref()
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  return (receive) => {
    deliver = receive
    for (const message of early.splice(0)) receive(message)
  }
}
