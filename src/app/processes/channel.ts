// One end of the channel between the supervisor and one of its processes. Both ends ask, answer and tell.
export interface Channel {
  // Rejects if the other end failed to answer, and that end has logged why. Never answered if the other end is gone:
  // a process whose supervisor is gone ends at once.
  ask(what: string, body?: unknown): Promise<unknown>
  tell(what: string, body?: unknown): void
  // Handed every message that arrives.
  receive(message: unknown): void
}

type Message =
  | { ask: string; id: number; body: unknown }
  | { answer: number; body?: unknown; failed?: true }
  | { tell: string; body: unknown }

export interface Handlers {
  // What the other end may ask for. An unknown question is answered with undefined.
  answer: Record<string, (body: never) => unknown>
  hear: Record<string, (body: never) => void>
  // A question whose answer failed. It ends neither process.
  onFailure(what: string, error: unknown): void
}

export function createChannel(send: (message: unknown) => void, handlers: Handlers): Channel {
  const { answer, hear, onFailure } = handlers
  const asked = new Map<number, PromiseWithResolvers<unknown> & { what: string }>()
  let lastId = 0
  return {
    ask(what, body) {
      const waiting = { ...Promise.withResolvers<unknown>(), what }
      lastId += 1
      asked.set(lastId, waiting)
      send({ ask: what, id: lastId, body } satisfies Message)
      return waiting.promise
    },
    tell: (what, body) => send({ tell: what, body } satisfies Message),
    receive(message) {
      const known = message as Message
      if ('answer' in known) {
        const waiting = asked.get(known.answer)
        asked.delete(known.answer)
        if (known.failed) waiting?.reject(new Error(`${waiting.what}: the other process failed to answer`))
        else waiting?.resolve(known.body)
      } else if ('tell' in known) hear[known.tell]?.(known.body as never)
      else if ('ask' in known) reply(known)
    },
  }

  function reply({ ask, id, body }: Extract<Message, { ask: string }>): void {
    const done = (made: unknown) => send({ answer: id, body: made } satisfies Message)
    const fail = (error: unknown) => {
      onFailure(ask, error)
      send({ answer: id, failed: true } satisfies Message)
    }
    try {
      const made = answer[ask]?.(body as never)
      if (made instanceof Promise) made.then(done).catch(fail)
      else done(made)
    } catch (error) {
      fail(error)
    }
  }
}
