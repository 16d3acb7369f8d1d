// Node's two clocks: the time of day, which may be set, and the one that only goes forward.
export interface Clocks {
  timeOfDayMs(): number
  forwardMs(): number
}

const CLOCKS: Clocks = {
  timeOfDayMs: () => Temporal.Now.instant().epochMilliseconds,
  forwardMs: () => performance.now(),
}

const SET_BACK_MS = 60_000

// Says whether the time of day was set back since this was made, by a minute or more.
export function watchClock({ timeOfDayMs, forwardMs }: Clocks = CLOCKS): () => boolean {
  const ahead = () => timeOfDayMs() - forwardMs()
  let furthest = ahead()
  return () => {
    const now = ahead()
    furthest = Math.max(furthest, now)
    return furthest - now >= SET_BACK_MS
  }
}
