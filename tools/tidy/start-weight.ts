import { type Files, importsOf, targetOf } from './source.ts'

// What a process loads before it can answer. A start reads every file that its entry imports, so a large package that few
// calls need is imported where it is used: `await import('…')`.

// Each is larger than all of ours together, or brings packages that we do not use.
const RARELY_USED = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  '@prometheus-io/client',
  '@scalar/fastify-api-reference',
  '@simplewebauthn/server',
  '@zxcvbn-ts/core',
  '@zxcvbn-ts/language-common',
  'libphonenumber-js/mobile',
  'openid-client',
  'typebox',
  'undici',
]
const HTTP = ['fastify', '@fastify/swagger']

const LIGHT: Record<string, (specifier: string) => boolean> = {
  // --version.
  'src/app/cli.ts': () => true,
  // Passes connections on and restarts processes: a log is all it needs.
  'src/app/processes/supervisor.ts': (specifier) => specifier !== 'sonic-boom',
  // Up to the start of PostgreSQL.
  'src/app/server/run-server.ts': among([...RARELY_USED, ...HTTP, 'graphile-worker']),
  // What both roles load.
  'src/app/server/serve.ts': among([...RARELY_USED, ...HTTP, 'graphile-worker']),
  'src/app/server/open-servers.ts': among([...RARELY_USED, 'graphile-worker']),
  'src/app/server/worker.ts': among([...RARELY_USED, ...HTTP]),
  // Commands.
  'src/app/runtime.ts': among([...RARELY_USED, ...HTTP, 'graphile-worker']),
}

function among(packages: readonly string[]): (specifier: string) => boolean {
  return (specifier) => packages.includes(specifier)
}

export function checkStartWeight(files: Files): string[] {
  return Object.entries(LIGHT).flatMap(([entry, isHeavy]) => {
    if (!files.has(entry)) return [`${entry}: there is no such file`]
    return followed(entry, files).flatMap(({ path, specifier, line }) =>
      isHeavy(specifier) ? [`${path}:${line} ${specifier}: ${entry} loads it at its start`] : [],
    )
  })
}

interface Loaded {
  path: string
  specifier: string
  line: number
}

// Every package that is loaded with a file. Types are erased, and what is called is loaded later.
function followed(entry: string, files: Files): Loaded[] {
  const seen = new Set([entry])
  const packages: Loaded[] = []
  for (const path of seen) {
    for (const { specifier = '', typeOnly, isCalled, line } of importsOf(files.get(path) ?? '')) {
      if (typeOnly || isCalled || specifier.startsWith('node:')) continue
      const target = targetOf(path, specifier)
      if (target === undefined) packages.push({ path, specifier, line })
      else seen.add(target)
    }
  }
  return packages
}
