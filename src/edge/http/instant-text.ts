let last: { instant: Temporal.Instant; text: string } | undefined

// A moment as answers show it. The answers of a batch share their moment, so it is written out once.
export function instantText(instant: Temporal.Instant): string {
  // Compared by identity, which costs nothing. An equal moment in another object is written out again.
  if (last?.instant !== instant) last = { instant, text: instant.toString({ smallestUnit: 'millisecond' }) }
  return last.text
}
