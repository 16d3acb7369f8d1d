import { newUuid } from '../../kit/uuid.ts'

// What a member asks for. The same again, after a lost answer, is the same withdrawal.
export interface Wish {
  amount: number
  bank: string
  account: string
}

interface Kept {
  wish: string
  requestId: string
}

type Place = Pick<Storage, 'getItem' | 'setItem'>

const NAME = 'ingot withdrawals'
const MOST_KEPT = 20 // as many as the service takes of one member in a day

// The ids of withdrawals that were sent and not answered yet. They outlive going back and a reload of this tab; where nothing
// can be stored, going back only.
export function createRequestIds(place: () => Place) {
  let kept: Kept[] = read(place)

  function keep(next: Kept[]): void {
    kept = next.slice(-MOST_KEPT)
    try {
      place().setItem(NAME, JSON.stringify(kept))
    } catch {
      // Forbidden or full: they are kept here.
    }
  }
  const find = (wish: Wish) => kept.find((one) => one.wish === fingerprint(wish))

  return {
    isWaiting: (wish: Wish) => find(wish) !== undefined,
    // Kept from now on, before anything is sent.
    idOf(wish: Wish): string {
      const { requestId } = find(wish) ?? { requestId: newUuid() }
      if (!find(wish)) keep([...kept, { wish: fingerprint(wish), requestId }])
      return requestId
    },
    forget: (wish: Wish) => keep(kept.filter((one) => one !== find(wish))),
  }
}

function read(place: () => Place): Kept[] {
  try {
    const stored: unknown = JSON.parse(place().getItem(NAME) ?? '[]')
    // Another release may have stored something else under this name.
    return Array.isArray(stored) ? stored.filter(isKept) : []
  } catch {
    return []
  }
}

function isKept(one: Partial<Kept> | null): one is Kept {
  return typeof one?.wish === 'string' && typeof one.requestId === 'string'
}

// 32 bits (FNV-1a): an account number cannot be found from it. Should two wishes ever share one, the service sees that the
// second is not the first and answers with a conflict.
function fingerprint({ amount, bank, account }: Wish): string {
  let hash = 0x811c9dc5
  // With or without hyphens it is the same account.
  for (const character of `${amount} ${bank} ${account.replaceAll('-', '')}`) {
    hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  }
  return (hash >>> 0).toString(16)
}
