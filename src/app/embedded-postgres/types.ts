import type { Socket } from 'node:net'
import type { ClientBase } from 'pg'
import type { Connection } from './member-connection.ts'

/** What a client or a pool is given. It leads to our own server, wherever that listens by now, and to no other. */
export interface CheckedConnection extends Connection {
  readonly stream: () => Socket
  /** A pool calls it by itself; code that opens a single client calls it first. */
  readonly onConnect: (client: ClientBase) => Promise<void>
}

export type EmbeddedEvent = 'started' | 'joined' | 'lost' | 'restarted' | 'stopped'

export interface EmbeddedPostgres {
  /** Good for as long as this process is a member, so a pool recovers by itself. */
  readonly connection: CheckedConnection
  /** False: the folder was copied or moved, and nobody has said yet that it is the one that counts. */
  isAdopted(): boolean
  adopt(): Promise<void>
  /** Lets go of it; the last one to leave stops PostgreSQL and waits until it is gone. */
  leave(): Promise<void>
}

export interface EmbeddedOptions {
  /** DATA_DIR, absolute. */
  readonly dataDir: string
  /** Kept by the caller, the same at every start. */
  readonly password: string
  /** False: another process starts PostgreSQL, and this one waits for it. */
  readonly startsServer?: boolean
  /** Called when the server is on its way up: there is time for other work. */
  readonly onLaunch?: () => void
  readonly onEvent?: (event: EmbeddedEvent, detail?: string) => void
}
