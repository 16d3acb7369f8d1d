import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { createEdge } from '#app/endpoints/edge.ts'
import { createMetrics } from '#app/metrics.ts'
import type { Runtime } from '#app/runtime.ts'
import { networks } from '#base/http/networks.ts'
import { createLog } from '#base/log.ts'
import { ERRORS } from '#edge/http/errors.ts'
import { buildServer } from '#edge/server.ts'
import { NO_PAGES } from '#edge/site/shell/files.ts'
import { CONSOLE_OPENAPI, MEMBER_OPENAPI, PARTNER_OPENAPI } from './contract-meaning.ts'
import { generateTypes } from './contract-types.ts'

// What is made from something else, and where it is kept. A test fails when one of them is stale.
export const SCHEMA_TYPES = new URL('../db/schema.gen.ts', import.meta.url)
const PARTNER_TYPES = new URL('../contract/partner.gen.ts', import.meta.url)
const MEMBER_TYPES = new URL('../contract/member.gen.ts', import.meta.url)
const CONSOLE_TYPES = new URL('../contract/console.gen.ts', import.meta.url)

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

// What is kept in contract/, by file. The server is only asked for its documents: nothing of what it is handed is used.
export async function generateContract(): Promise<[file: URL, text: string][]> {
  const config = {
    publicUrl: 'http://127.0.0.1:3000',
    host: '127.0.0.1',
    mode: 'sandbox',
    trustedProxies: networks([]),
    messaging: { providers: [] },
    operator: {},
    approvals: {},
  }
  const runtime = { config, database: {}, keys: {}, log: createLog('silent') } as unknown as Runtime
  const edge = createEdge(runtime, {
    metrics: createMetrics(),
    messaging: { providers: [], imprint: {} },
    identity: { name: 'simulated' },
    pages: NO_PAGES,
    isMoved: () => false,
    recordRequest() {},
  } as unknown as Parameters<typeof createEdge>[1])
  const server = await buildServer(edge, { api: true })
  const [partner, member, console] = await Promise.all([
    server.inject('/openapi.json'),
    server.inject('/member/openapi.json'),
    server.inject('/console/api/openapi.json'),
  ])
  await server.close()
  const codes = Object.keys(ERRORS)
  return [
    [PARTNER_OPENAPI, written(partner.json())],
    [MEMBER_OPENAPI, written(member.json())],
    [PARTNER_TYPES, generateTypes(partner.json(), { source: 'openapi.json', codes })],
    // The pages add the prefix: the web view has the same operations under another.
    [MEMBER_TYPES, generateTypes(member.json(), { source: 'member-openapi.json', prefix: '/member', codes })],
    [CONSOLE_OPENAPI, written(console.json())],
    [
      CONSOLE_TYPES,
      generateTypes(console.json(), { source: 'console-openapi.json', prefix: '/console/api', codes }),
    ],
  ]
}

const written = (document: unknown) => `${JSON.stringify(document, null, 2)}\n`
