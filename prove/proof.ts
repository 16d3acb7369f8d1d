// What a proof is given, and what it answers with. main.ts runs it, prints the figures and can record them.
export interface Given {
  // Everything that is chosen by chance follows from it.
  seed: number
  // How many faults.
  count: number
  // Seconds that the traffic lasts at least; 0: as long as the faults take.
  duration: number
  // Acknowledged acts at least, spread over the faults.
  leastActs: number
  // The commit of an earlier release, for a proof that takes one.
  from?: string | undefined
  // Empty, for the client's record and what the service wrote. Kept if an invariant was violated.
  folder: string
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
  duration?: number
  takesFrom?: true
  // What it takes besides Node's packages, for docs/proof.md.
  takes?: string
  // What this machine lacks for it, as a sentence; undefined if nothing.
  lacks?(): string | undefined
  run(given: Given): Promise<Figures>
}
