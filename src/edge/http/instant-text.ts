let last: { instant: Temporal.Instant; text: string } | undefined

// As answers have it. Those of a batch share their moment, which is written out once for all of them.
export function instantText(instant: Temporal.Instant): string {
  if (last?.instant !== instant) last = { instant, text: instant.toString({ smallestUnit: 'millisecond' }) }
  return last.text
}
