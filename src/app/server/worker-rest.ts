import { measureCores } from '#app/cores.ts'

// Shares of all cores.
const FULL = 0.9
const ROOM = 0.8
const MOST = 4
const LOOK_MS = 500
const CALM_LOOKS = 20
// Until it has looked for a second: what has gathered without a worker would take the machine at once.
const FIRST: Rest = { times: 2, calm: 0 }

// `times`: how many times as long as it worked the worker rests. `calm`: looks in a row between the two shares.
export interface Rest {
  times: number
  calm: number
}

// How long the worker rests beside others, so that a part of the machine stays free. It is found by what all use together: what others
// use says little, because a worker at full speed leaves them less.
export function watchRest(use: () => number = measureCores()): () => number {
  let rest = FIRST
  setInterval(() => {
    rest = nextRest(rest, use())
  }, LOOK_MS).unref()
  return () => rest.times
}

export function nextRest({ times, calm }: Rest, used: number): Rest {
  if (used >= FULL) return { times: Math.min(MOST, Math.max(1, 2 * times)), calm: 0 }
  // Less than it rests may be enough.
  if (used < ROOM || calm + 1 === CALM_LOOKS) return { times: times > 1 ? times / 2 : 0, calm: 0 }
  return { times, calm: calm + 1 }
}
