import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { createEdge } from '#app/endpoints/edge.ts'
import type { Runtime } from '#app/runtime.ts'
import { createLog } from '#base/log.ts'
import { createMetrics } from '#base/metrics.ts'
import { networks } from '#base/networks.ts'
import { buildServer } from '#edge/server.ts'
import { NO_PAGES } from '#edge/site/shell/files.ts'

// What is made from something else, and where it is kept. A test fails when one of them is stale.
export const SCHEMA_TYPES = new URL('../src/base/schema.gen.ts', import.meta.url)
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
  const config = {
    publicUrl: 'http://127.0.0.1:3000',
    host: '127.0.0.1',
    mode: 'sandbox',
    trustedProxies: networks([]),
    messaging: { providers: [] },
    operator: {},
  }
  const runtime = { config, database: {}, keys: {}, log: createLog('silent') } as unknown as Runtime
  const edge = createEdge(runtime, {
    metrics: createMetrics(() => ({ total: 0, idle: 0, waiting: 0 })),
    messaging: { providers: [], imprint: {} },
    identity: { name: 'simulated' },
    pages: NO_PAGES,
  } as unknown as Parameters<typeof createEdge>[1])
  const server = await buildServer(edge, { api: true })
  const partner = `${JSON.stringify(server.swagger(), null, 2)}\n`
  const answer = await server.inject('/member/openapi.json')
  await server.close()
  return { partner, member: `${JSON.stringify(answer.json(), null, 2)}\n` }
}
