// A restore to an earlier time, as the service knows it.
export interface Restoration {
  id: string
  // The time that was asked for, if any.
  restoredTo: Temporal.Instant | null
  // Real time. What came after it may be lost.
  certainUntil: Temporal.Instant
  recordedAt: Temporal.Instant
  recordedBy: string
  verifiedAt: Temporal.Instant | null
  releasedAt: Temporal.Instant | null
  releasedBy: string | null
  // With the key ring. Null: recorded by a release that did not sign.
  signature: Buffer | null
}

// Times of the service's clock that tell rows from before a restore from later ones.
export interface RestorationMarks {
  // Rows up to this one were there before the last restore.
  restoredAt: Temporal.Instant
  // Messages of what is as old as this wait until the providers' lists were read; null if none do.
  heldUntil: Temporal.Instant | null
}

// How far a provider's list was read.
export interface Listing {
  provider: string
  begunAt: Temporal.Instant | null
  cursor: string | null
  finishedAt: Temporal.Instant | null
  trouble: string | null
}

// An attempt that a provider knows and this database does not.
export interface LostAttempt {
  key: string
  attempt: number
  provider: string
  channel: string
  messageId: string | null
  // Masked; null if the provider did not say, or once it was erased.
  recipient: string | null
  sentAt: Temporal.Instant
  delivered: boolean
}
