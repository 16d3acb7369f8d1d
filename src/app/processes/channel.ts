// One end of the channel between the supervisor and one of its processes. Both ends ask, answer and tell.
export interface Channel {
  // Never answered if the other end is gone. A process whose supervisor is gone ends at once.
  ask(what: string, body?: unknown): Promise<unknown>
  tell(what: string, body?: unknown): void
  // Handed every message that arrives.
  receive(message: unknown): void
}

type Message =
  | { ask: string; id: number; body: unknown }
  | { answer: number; body: unknown }
  | { tell: string; body: unknown }

export interface Handlers {
  // What the other end may ask for. An unknown question is answered with undefined.
  answer: Record<string, (body: never) => unknown>
  hear: Record<string, (body: never) => void>
}

export function createChannel(send: (message: unknown) => void, { answer, hear }: Handlers): Channel {
  const asked = new Map<number, (body: unknown) => void>()
  let lastId = 0
  return {
    ask(what, body) {
      const { promise, resolve } = Promise.withResolvers<unknown>()
      lastId += 1
      asked.set(lastId, resolve)
      send({ ask: what, id: lastId, body } satisfies Message)
      return promise
    },
    tell: (what, body) => send({ tell: what, body } satisfies Message),
    receive(message) {
      const known = message as Message
      if ('answer' in known) {
        asked.get(known.answer)?.(known.body)
        asked.delete(known.answer)
      } else if ('tell' in known) hear[known.tell]?.(known.body as never)
      else if ('ask' in known) {
        const { id } = known
        const made = answer[known.ask]?.(known.body as never)
        if (made instanceof Promise) void made.then((body) => send({ answer: id, body }))
        else send({ answer: id, body: made })
      }
    },
  }
}
