import type { Channel } from '#providers/messaging/port.ts'

// What a stand-in took, and what of it reached a phone.
export interface Sent {
  messageId: string
  groupId: string
  sequence: number
  channel: Channel
  // In the national form.
  to: string
  key: string
  attempt: number
  text: string
  atMs: number
  // The provider's code once it has settled; undefined for a message that arrives.
  failure: string | undefined
}

export interface Phones {
  readonly all: readonly Sent[]
  add(sent: Sent): void
  byId(messageId: string): Sent | undefined
  byNumber(to: string): readonly Sent[]
  byKey(key: string): readonly Sent[]
  byGroup(groupId: string): readonly Sent[]
  // How often a message with this key came to a phone: never more than once.
  reached(key: string): number
  readonly doubled: readonly string[]
}

export function createPhones(): Phones {
  const all: Sent[] = []
  const ids = new Map<string, Sent>()
  const numbers = new Map<string, Sent[]>()
  const keys = new Map<string, Sent[]>()
  const groups = new Map<string, Sent[]>()
  const byKey = (key: string) => keys.get(key) ?? []
  const reached = (key: string) => byKey(key).filter((sent) => sent.failure === undefined).length
  return {
    all,
    add(sent) {
      all.push(sent)
      ids.set(sent.messageId, sent)
      append(numbers, sent.to, sent)
      append(keys, sent.key, sent)
      append(groups, sent.groupId, sent)
    },
    byId: (messageId) => ids.get(messageId),
    byNumber: (to) => numbers.get(to) ?? [],
    byKey,
    byGroup: (groupId) => groups.get(groupId) ?? [],
    reached,
    get doubled() {
      return [...keys.keys()].filter((key) => reached(key) > 1)
    },
  }
}

function append(map: Map<string, Sent[]>, name: string, sent: Sent): void {
  const list = map.get(name)
  if (list) list.push(sent)
  else map.set(name, [sent])
}
