// The supervisor's messages to this process.
export interface Mailbox {
  // Takes them from now on, those that came before among them.
  open(receive: (message: unknown) => void): void
  // Until the supervisor has told one of these. The message stays for whoever opens the mailbox.
  hear(...names: string[]): Promise<string>
}

// Made before a process loads its code. Otherwise `stop` would be lost if it came meanwhile, and Ctrl-C, which a terminal
// sends to all processes, would end this one: the supervisor says what follows.
export function makeMailbox(): Mailbox {
  const early: unknown[] = []
  let deliver: (message: unknown) => unknown = (message) => early.push(message)
  process.on('message', (message) => deliver(message))
  // The channel does not keep a process alive that is done, be it for a bad setting.
  process.channel?.unref()
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  return {
    open(receive) {
      deliver = receive
      for (const message of early.splice(0)) receive(message)
    },
    async hear(...names) {
      process.channel?.ref()
      for (;;) {
        const heard = early.map(toldBy).find((name) => name !== undefined && names.includes(name))
        if (heard === undefined) await new Promise((resolve) => process.once('message', resolve))
        else {
          process.channel?.unref()
          return heard
        }
      }
    },
  }
}

const toldBy = (message: unknown) => (message as { tell?: string }).tell
