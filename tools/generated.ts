import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { createMetrics } from '#app/metrics.ts'
import { VERSION } from '#app/version.ts'
import { createLog } from '#base/log.ts'
import { networks } from '#base/networks.ts'
import { ERRORS } from '#edge/http/errors.ts'
import { buildServer } from '#edge/server.ts'
import { NO_PAGES } from '#edge/site/shell/files.ts'
import type { EdgeDeps } from '#edge/types.ts'
import { MEMBER_OPENAPI, PARTNER_OPENAPI } from './contract-meaning.ts'
import { generateTypes } from './contract-types.ts'

// What is made from something else, and where it is kept. A test fails when one of them is stale.
export const SCHEMA_TYPES = new URL('../db/schema.gen.ts', import.meta.url)
const PARTNER_TYPES = new URL('../contract/partner.gen.ts', import.meta.url)
const MEMBER_TYPES = new URL('../contract/member.gen.ts', import.meta.url)

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
  const [partner, member] = await Promise.all([
    server.inject('/openapi.json'),
    server.inject('/member/openapi.json'),
  ])
  await server.close()
  const codes = Object.keys(ERRORS)
  return [
    [PARTNER_OPENAPI, written(partner.json())],
    [MEMBER_OPENAPI, written(member.json())],
    [PARTNER_TYPES, generateTypes(partner.json(), { source: 'openapi.json', codes })],
    // The pages add the prefix: the web view has the same operations under another.
    [MEMBER_TYPES, generateTypes(member.json(), { source: 'member-openapi.json', prefix: '/member', codes })],
  ]
}

const written = (document: unknown) => `${JSON.stringify(document, null, 2)}\n`
