import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '#test/patience.ts'

interface Backend {
  port: number
  isIn: boolean
  underWay: number
}

// A load balancer as small as possible: requests go to the servers that are in, in turn. It never tries a request again, so
// that every failure reaches the client, and it remembers each.
export class RollingProxy {
  readonly failures: string[] = []
  readonly #backends: Backend[]
  readonly #server = createServer((asked, answer) => this.#pass(asked, answer))
  #turn = 0
  #served = 0

  constructor(ports: readonly number[]) {
    this.#backends = ports.map((port) => ({ port, isIn: false, underWay: 0 }))
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get served(): number {
    return this.#served
  }

  putIn(i: number): void {
    this.#backends[i]!.isIn = true
  }

  // Until what is under way there has its answer.
  async takeOut(i: number): Promise<void> {
    const backend = this.#backends[i]!
    backend.isIn = false
    await until(() => backend.underWay === 0, 'the server has answered everything')
  }

  #pass(asked: IncomingMessage, answer: ServerResponse): void {
    const able = this.#backends.filter(({ isIn }) => isIn)
    const { method, url: path = '', headers } = asked
    // A sandbox simulates the identity provider inside a process, so both halves of a verification go to one.
    this.#turn += path.includes('/identity') ? 0 : 1
    const backend = path.includes('/identity') ? able[0]! : able[this.#turn % able.length]!
    const { port } = backend
    backend.underWay += 1
    answer.once('close', () => {
      backend.underWay -= 1
    })
    const to = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (from) => {
      this.#served += 1
      if (from.statusCode! >= 500) this.failures.push(`${method} ${path}: ${from.statusCode}`)
      answer.writeHead(from.statusCode!, from.headers)
      from.pipe(answer)
    })
    to.once('error', (error) => {
      this.failures.push(`${method} ${path}: ${error.message}`)
      answer.destroy()
    })
    asked.pipe(to)
  }
}
