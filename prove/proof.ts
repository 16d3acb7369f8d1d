// How many faults there are: they go on until both are reached (rounds.ts).
export interface Wanted {
  count: number
  // In seconds; 0: as long as `count` faults take.
  duration: number
}

// How much traffic there is.
export interface Scale {
  members?: number
  // Of a member between two acts.
  memberRestMs?: number
  // Purchases and signups.
  perSecond?: number
  // At most, from the first acts after a fault to the next one.
  restMs?: number
}

// What a proof is given, and what it answers with. main.ts runs it, prints the figures and can record them.
export interface Given extends Wanted {
  // Everything that is chosen by chance follows from it.
  seed: number
  // Acknowledged acts at least, spread over the faults.
  leastActs: number
  // The commit of an earlier release, for a proof that takes one.
  from?: string | undefined
  // Empty, for the client's record and what the service wrote. Kept if an invariant was violated.
  folder: string
  // Instead of the proof's own, for the short version in `npm test`. INGOT_PROCESSES is for servers of this machine.
  scale?: Scale & { processes?: '0' | '1' | '2' }
  say(text: string): void
}

export interface Figures {
  // Acknowledged by the service, and answered by nothing that can be relied on.
  acts: number
  unknown: number
  faults: number
  // Empty if the proof holds. Each names its invariant (prove/judge/judge.ts) and what violates it.
  violations: readonly string[]
  // Between two acknowledged acts.
  longestOutageMs: number
  notes?: readonly string[]
}

export interface Proof {
  // One line for the list of proofs.
  what: string
  // Unless the command line says otherwise.
  count: number
  takesFrom?: true
  // Options that it cannot follow, and why: they are refused before anything starts.
  refuses?: Readonly<Partial<Record<'duration' | 'acts', string>>>
  // What it takes besides Node's packages, for docs/proof.md.
  takes?: string
  // What this machine lacks for it, as a sentence; undefined if nothing.
  lacks?(): string | undefined
  run(given: Given): Promise<Figures>
}
