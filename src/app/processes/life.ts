import type { Worker as Child } from 'node:cluster'
import type { Channel } from './channel.ts'
import type { Part } from './layout.ts'

// What the supervisor knows of each of its processes.
export interface Member {
  part: Part
  // Restarts in a row.
  setbacks: number
  // Undefined between two lives.
  life?: Life
}

export interface Life {
  child: Child
  channel: Channel
  since: number
  // A worker waits until the database is open.
  hasBegun: boolean
  hasOpened: boolean
  hasSpoken: boolean
  heardAt: number
}

export interface End {
  code?: number | null
  signal?: string | null
  // Why it could not be started.
  reason?: string
}
