import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { createMetrics } from '#app/metrics.ts'
import { VERSION } from '#app/version.ts'
import { createLog } from '#base/log.ts'
import { networks } from '#base/networks.ts'
import { buildServer } from '#edge/server.ts'
import { NO_PAGES } from '#edge/site/shell/files.ts'
import type { EdgeDeps } from '#edge/types.ts'

// What is made from something else, and where it is kept. A test fails when one of them is stale.
export const SCHEMA_TYPES = new URL('../db/schema.gen.ts', import.meta.url)
export const OPENAPI = new URL('../contract/openapi.json', import.meta.url)
export const MEMBER_OPENAPI = new URL('../contract/member-openapi.json', import.meta.url)
export const MEMBER_TYPES = new URL('../contract/member.gen.ts', import.meta.url)

const CODEGEN = createRequire(import.meta.url).resolve('kysely-codegen/dist/cli/bin.js')
const TYPE_MAPPING = {
  int8: 'bigint',
  date: 'string',
  timestamptz: 'Temporal.Instant',
  inet: 'string',
  interval: 'string',
}

export async function generateSchemaTypes(databaseUrl: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    CODEGEN,
    ...[
      '--dialect',
      'postgres',
      '--print',
      '--log-level',
      'silent',
      '--date-parser',
      'string',
      '--exclude-pattern',
      'graphile_worker.*',
    ],
    ...['--type-mapping', JSON.stringify(TYPE_MAPPING), '--url', databaseUrl],
  ])
  return stdout
}

// The server is only asked for its routes: nothing of what it is handed is used. The partner's document and the
// member's.
export async function generateOpenApi(): Promise<{ partner: string; member: string }> {
  const unused = () => Promise.reject(new Error('the document is made without a database'))
  const deps = {
    publicUrl: 'http://127.0.0.1:3000',
    version: VERSION,
    keyMode: 'test',
    trustedProxies: networks([]),
    own: { publicHost: '', publicOrigin: '', directHosts: new Set() },
    log: createLog('silent'),
    metrics: createMetrics(),
    isReady: unused,
    pages: NO_PAGES,
    providers: [],
    identity: { provider: {}, personas: [], sandboxCode: null },
    buyGiftCard: unused,
    lookupCard: unused,
    noteKeyUse: () => {},
  } as unknown as EdgeDeps
  const server = await buildServer(deps, { api: true })
  const partner = `${JSON.stringify(server.swagger(), null, 2)}\n`
  const answer = await server.inject('/member/openapi.json')
  await server.close()
  return { partner, member: `${JSON.stringify(answer.json(), null, 2)}\n` }
}
