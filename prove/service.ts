import type pg from 'pg'
import type { StandIn } from '#stand-ins/messaging/server.ts'
import type { CommandRun } from '#test/commands.ts'
import { type Environment, ingot } from '#test/process.ts'

// A service under proof, however it is run: one machine's, a cluster's, an image's.
export interface Service {
  // Where it answers. The client asks them in turn.
  readonly urls: readonly string[]
  // With these an operator's command reaches its database.
  readonly settings: Environment
  // The provider of its messages, which remembers every one.
  readonly standIn: StandIn
  // An operator's command, if it is not the one of this tree.
  ingot?(...args: string[]): Promise<CommandRun>
  // For the judge, once the faults are over.
  withSql<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result>
}

export function runIngot(service: Service, ...args: string[]): Promise<CommandRun> {
  return service.ingot?.(...args) ?? ingot(service.settings, ...args)
}
