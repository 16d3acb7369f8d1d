type Value = string | number | boolean | null | readonly string[]

// Facts of an entry. No personal data: that belongs into `reason` and `note`, which are sealed apart.
export type AuditFacts = Record<string, Value>

export interface AuditEntry {
  // The person or program: `cli:<account>` for the command line, `staff:<address>` for the console.
  actor: string
  action: string
  subject: string
  details?: AuditFacts
  // What the act changed, as it was and as it is.
  before?: AuditFacts
  after?: AuditFacts
}

// What a person typed and where the act came from. It may name someone, so it is sealed apart and can be erased.
export interface PrivatePart {
  reason?: string
  note?: string
  from?: Readonly<Record<string, string>>
}

// sealed: it was not opened. erased: on purpose, with an entry of its own. lost: it does not open. null: there is none.
export type ShownPrivate = PrivatePart | 'sealed' | 'erased' | 'lost' | null

export interface ChainHead {
  position: bigint
  hash: Buffer
}

// A line outside the database that says how the chain stood.
export interface Anchor extends ChainHead {
  at: Temporal.Instant
  signature: string
}
