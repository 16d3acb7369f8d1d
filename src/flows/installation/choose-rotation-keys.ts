import type { KeyRing, KeyRingStore, RingNotWritable } from '#base/crypto/key-ring.ts'
import { type Refusal, refused } from '#flows/kit/outcome.ts'

// The ids of the keys that a ring is at.
export interface Target {
  encryption: string
  index: string
}

// What the database says is in force, and what is under way.
export interface State extends Target {
  next: string | null
  rotating: boolean
  // The version of the database's schema.
  schema: number
}

export type RingRefusal =
  | RingNotWritable
  // A rotation was begun with another ring than this one.
  | Refusal<'ring_of_another_rotation', { ring: Target; underWay: Target }>
  | Refusal<'ring_outdated', { ring: Target; inForce: Target }>

type Chosen = { kind: 'chosen'; ring: KeyRing; target: Target } | RingRefusal

// New keys, unless the ring already has some that are not in force. Those come from an interrupted rotation, or the
// operator brought them to every machine first.
export async function chooseRotationKeys(store: KeyRingStore, state: State): Promise<Chosen> {
  const ring = store.read()
  const target = currentOf(ring)
  if (state.rotating) {
    const underWay = { encryption: state.encryption, index: state.next ?? state.index }
    return target.encryption === underWay.encryption && target.index === underWay.index
      ? { kind: 'chosen', ring, target }
      : refused('ring_of_another_rotation', { ring: target, underWay })
  }
  const steps = [stepsAhead(ring.encryption, state.encryption), stepsAhead(ring.index, state.index)]
  if (steps.every((step) => step === 0)) {
    const renewed = await store.renew()
    return renewed.kind === 'refused'
      ? renewed
      : { kind: 'chosen', ring: renewed.ring, target: currentOf(renewed.ring) }
  }
  if (steps.every((step) => step > 0)) return { kind: 'chosen', ring, target }
  const inForce = { encryption: state.encryption, index: state.index }
  return refused('ring_outdated', { ring: target, inForce })
}

function currentOf({ encryption, index }: KeyRing): Target {
  return { encryption: encryption.current, index: index.current }
}

// How many keys later than the one in force the ring's current one was added.
function stepsAhead({ current, byId }: KeyRing['index'], inForce: string): number {
  const ids = [...byId.keys()]
  return ids.indexOf(current) - ids.indexOf(inForce)
}
