import type { Worker as Child } from 'node:cluster'
import type { Log } from '#base/log.ts'

interface Handle {
  close(): void
}

const TOLD_AGAIN_MS = 10_000

interface Message {
  act?: string
  seq?: number
  cmd?: string
}

// Node hands a connection to a process, hands out no other to it until the process has answered, and then closes its own copy.
// There is at most one for each process. Two answers never come, and the client would wait for ever:
// - The process is killed in between.
// - It has no file descriptor left. Node's channel reports that and tries no more, and the process would never be handed a
//   connection again. Answered here as if it had taken it, so that the connection is closed. The log says
//   so now and then: a flood has thousands of them.
export function closeLostConnection(child: Child, log: Pick<Log, 'warn'>, name: string): void {
  const sender = child.process
  const send = sender.send.bind(sender) as (message: unknown, ...rest: unknown[]) => boolean
  let toldAt = Number.NEGATIVE_INFINITY
  let handed: { handle: Handle | undefined; number: number | undefined } | undefined
  sender.send = (message: unknown, ...rest: unknown[]) => {
    const { act, seq } = (message ?? {}) as Message
    if (act === 'newconn') handed = { handle: rest[0] as Handle | undefined, number: seq }
    return send(message, ...rest)
  }
  sender.on('internalMessage', ({ cmd }: Message) => {
    if (cmd !== 'NODE_HANDLE_NACK' || handed?.number === undefined) return
    const answer = { cmd: 'NODE_CLUSTER', ack: handed.number, accepted: true }
    handed = undefined
    if (performance.now() - toldAt > TOLD_AGAIN_MS) {
      toldAt = performance.now()
      log.warn('connection dropped', {
        child: name,
        reason: 'the process may open no more files (ulimit -n)',
      })
    }
    sender.emit('internalMessage', answer)
  })
  child.once('exit', (code) => {
    // One that was closed already is left alone by `close`. A process that drained has given its own back.
    if (code !== 0) handed?.handle?.close()
  })
}
