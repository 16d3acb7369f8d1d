import type { PlantedCheck } from '../planted-case.ts'
import { checkStartWeight } from '../start-weight.ts'

const AROUND: readonly [path: string, text: string][] = [
  ['src/app/cli.ts', "import { a } from './a.ts'\nimport { join } from 'node:path'"],
  ['src/app/processes/supervisor.ts', "import sonicBoom from 'sonic-boom'"],
  ['src/app/server/run-server.ts', ''],
  ['src/app/server/open-servers.ts', "import fastify from 'fastify'"],
  ['src/app/server/serve.ts', "import { b } from '#app/b.ts'"],
  ['src/app/server/worker.ts', "import { run } from 'graphile-worker'"],
  ['src/app/runtime.ts', ''],
]

export const START_WEIGHT: PlantedCheck = [
  'start weight',
  (path, text) => checkStartWeight(new Map([...AROUND, [path, text]])),
  [
    ['src/app/a.ts', "import pg from 'pg'", /src\/app\/a\.ts:1 pg: src\/app\/cli\.ts loads it/],
    ['src/app/a.ts', "import type { Client } from 'pg'\nimport { type Pool } from 'pg'", ''],
    ['src/app/a.ts', "const load = () => import('pg')", ''],
    ['src/app/b.ts', "import { kysely } from 'kysely'", ''],
    ['src/app/b.ts', "import { Pool } from 'undici'", /serve\.ts loads it/],
    ['src/app/b.ts', "import '#base/c.ts'\nimport { run } from 'graphile-worker'", /b\.ts:2 graphile-worker/],
    ['src/app/server/worker.ts', "import fastify from 'fastify'", /worker\.ts:1 fastify/],
  ],
]
