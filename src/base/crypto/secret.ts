import { inspect } from 'node:util'

// A value that prints as [secret] wherever it lands: a log line, an error, JSON. Only reveal() shows it.
export class Secret<Of extends string> {
  readonly #value: string
  declare readonly __of: Of

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [inspect.custom](): string {
    return '[secret]'
  }
}
