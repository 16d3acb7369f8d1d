import { parseKey } from '#modules/deliveries/rules.ts'
import type { StandIn } from '#stand-ins/messaging/server.ts'

const PIN = /\b[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}\b/

interface Card {
  giftId: string
  pin: string
  amount: number
}

// Cards that a member can register: bought and acknowledged, and their message has come to the phone. Nothing else
// tells the client a PIN.
export class CardSupply {
  readonly #standIn: StandIn
  readonly #amounts = new Map<string, number>()
  readonly #ready: Card[] = []
  #read = 0

  constructor(standIn: StandIn) {
    this.#standIn = standIn
  }

  add(giftId: string, amount: number): void {
    this.#amounts.set(giftId, amount)
  }

  take(): Card | undefined {
    this.#readPhones()
    return this.#ready.shift()
  }

  #readPhones(): void {
    const { all } = this.#standIn.phones
    for (; this.#read < all.length; this.#read += 1) {
      const sent = all[this.#read]!
      const giftId = parseKey(sent.key)?.cardId
      const pin = PIN.exec(sent.text)?.[0]
      // A long run has many messages, and only their keys matter from here on.
      sent.text = ''
      const amount = giftId === undefined ? undefined : this.#amounts.get(giftId)
      if (giftId === undefined || pin === undefined || amount === undefined) continue
      // Each card has two messages.
      this.#amounts.delete(giftId)
      this.#ready.push({ giftId, pin, amount })
    }
  }
}
