import { connect, type Socket } from 'node:net'

// One keep-alive connection with one request under way at a time. Raw bytes rather than an HTTP client: on
// a machine that also runs the server and the database, what the generator spends is taken from them.
const HEADER_END = Buffer.from('\r\n\r\n')
const LENGTH = Buffer.from('\r\ncontent-length: ')
const OK = Buffer.from('HTTP/1.1 200 ')
// All connections read into this: what is read is looked at before the next one reads.
const READ = Buffer.alloc(64 * 1024)

export class Connection {
  readonly #socket: Socket
  #received: Buffer | undefined
  #answered: ((ok: boolean) => void) | undefined

  static open(port: number): Promise<Connection> {
    const opened = Promise.withResolvers<Connection>()
    const connection = new Connection(port)
    connection.#socket.once('connect', () => opened.resolve(connection))
    connection.#socket.once('error', opened.reject)
    return opened.promise
  }

  private constructor(port: number) {
    this.#socket = connect({
      ...{ port, host: '127.0.0.1', noDelay: true },
      onread: {
        buffer: READ,
        callback: (bytes) => {
          this.#read(READ.subarray(0, bytes))
          return true
        },
      },
    })
    this.#socket.on('error', () => {}) // 'close' follows
    this.#socket.on('close', () => this.#settle(false))
  }

  // `answered` is called once, with whether the status was 200. A lost connection is a failed request.
  send(request: Buffer, answered: (ok: boolean) => void): void {
    this.#answered = answered
    this.#socket.write(request)
  }

  get lost(): boolean {
    return this.#socket.destroyed
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(bytes: Buffer): void {
    const received = this.#received ? Buffer.concat([this.#received, bytes]) : bytes
    const headerEnd = received.indexOf(HEADER_END)
    if (headerEnd < 0 || received.length < headerEnd + HEADER_END.length + bodyLength(received)) {
      this.#received = received === bytes ? Buffer.from(bytes) : received
      return
    }
    this.#received = undefined
    this.#settle(received.compare(OK, 0, OK.length, 0, OK.length) === 0)
  }

  #settle(ok: boolean): void {
    const answered = this.#answered
    this.#answered = undefined
    answered?.(ok)
  }
}

function bodyLength(answer: Buffer): number {
  const at = answer.indexOf(LENGTH)
  let length = 0
  for (let i = at + LENGTH.length; at >= 0; i += 1) {
    const digit = answer[i]! - 48
    if (!(digit >= 0 && digit <= 9)) break
    length = length * 10 + digit
  }
  return length
}
