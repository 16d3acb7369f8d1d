import assert from 'node:assert/strict'
import { type Command, parseCommand } from '#app/command.ts'
import { openVaultKeeper } from '#app/keys/vault-keeper.ts'
import { Refused } from '#app/refused.ts'
import type { Runtime } from '#app/runtime.ts'
import { readConfig } from '#app/settings/config.ts'
import { UsageError } from '#app/usage-error.ts'
import { runActing } from '#base/acting.ts'
import { createLog } from '#base/log.ts'
import { TEST_RING_STORE, TEST_SCHEMA } from './postgres.ts'
import type { TestService } from './service.ts'

export interface Ran {
  // As the command line exits: 0 done, 1 refused, 2 not understood.
  code: number
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer
  json: any
  text: string
}

export const TEST_ORIGIN = { by: 'command line', host: 'test' }

// Commands as the command line runs them, in this process: each spawn would cost a second or two.
export async function commandsOn({ database, on }: TestService, actor = 'cli:test') {
  const runtime: Runtime = {
    config: readConfig({ DATABASE_URL: on.url }),
    log: createLog('silent', { write: () => {} }),
    database,
    connection: on.connection,
    keyRing: TEST_RING_STORE,
    keys: await openVaultKeeper(database, TEST_RING_STORE),
    created: false,
    schema: TEST_SCHEMA,
    close: async () => {},
  }
  async function run(command: Command, ...argv: string[]): Promise<Ran> {
    try {
      const { args, options } = parseCommand(command, argv)
      const acting = { actor, from: TEST_ORIGIN, keys: runtime.keys }
      const { json, text, failed } = await runActing(acting, () =>
        command.run({ runtime, args, options, actor }),
      )
      return { code: failed ? 1 : 0, json: JSON.parse(JSON.stringify(json)), text }
    } catch (error) {
      if (error instanceof UsageError) return { code: 2, json: undefined, text: error.message }
      if (error instanceof Refused) return { code: 1, json: undefined, text: error.message }
      throw error
    }
  }
  async function done(command: Command, ...argv: string[]): Promise<Ran['json']> {
    const ran = await run(command, ...argv)
    assert.equal(ran.code, 0, ran.text)
    return ran.json
  }
  return { run, done, runtime }
}
