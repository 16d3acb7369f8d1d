import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CommandRun } from '#test/commands.ts'
import type { Environment } from '#test/process.ts'
import { BadOption } from './options.ts'

// A release in a folder of its own, as an operator installs it.
export interface Installed {
  name: string
  folder: string
  node: string
  main: string
  // Its newest migration.
  schema: number
  // It knows that a newer release may allow it on its schema.
  isPromised: boolean
}

const LEFT_OUT = /^(?:node_modules|data|test|\.git)(?:\/|$)/
const ROOT = fileURLToPath(new URL('..', import.meta.url))

function installedIn(folder: string, name: string): Installed {
  const migrations = readdirSync(join(folder, 'db/migrations')).filter((file) => file.endsWith('.sql'))
  return {
    name,
    folder,
    node: realpathSync(join(folder, 'node_modules/.bin/node')),
    main: join(folder, 'src/main.js'),
    schema: Math.max(...migrations.map((file) => Number.parseInt(file, 10))),
    isPromised: readdirSync(join(folder, 'src/app/database')).includes('history.ts'),
  }
}

// The commit's files, with the packages that its lock names. A folder where a release is installed is taken as it is.
export function install(ref: string, folder: string, say: (text: string) => void): Installed {
  if (existsSync(join(ref, 'src/main.js'))) return installedIn(resolve(ref), ref)
  const commit = git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`).toString().trim()
  if (commit === '') throw new BadOption(`--from ${ref}: there is no such commit`)
  say(`installing ${ref} (${commit.slice(0, 7)}) with npm ci`)
  mkdirSync(folder)
  finish('tar', ['-x', '-C', folder], { input: git('archive', commit) })
  finish('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  const installed = installedIn(folder, commit.slice(0, 7))
  say(`building the pages of ${installed.name}`)
  finish(installed.node, [installed.main, 'build'], { cwd: folder, env: { DATA_DIR: join(folder, 'data') } })
  return installed
}

const MADE_UP = (earlier: string) => `-- compatible with ${earlier}
create table made_up (id bigint generated always as identity primary key, at timestamptz not null default now());
alter table gift_card add column made_up text;
`

// This working tree. If it has no newer schema than the earlier release, a copy of it with one more migration stands for the
// release after: otherwise there would be no newer schema to serve.
export function releaseAfter({ schema }: Installed, folder: string): Installed {
  const here = installedIn(ROOT, 'this tree')
  if (here.schema > schema) return here
  cpSync(ROOT, folder, { recursive: true, filter: (path) => !LEFT_OUT.test(relative(ROOT, path)) })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const four = (number: number) => String(number).padStart(4, '0')
  writeFileSync(join(folder, `db/migrations/${four(schema + 1)}_made_up.sql`), MADE_UP(four(schema)))
  return installedIn(folder, 'this tree with one more migration')
}

function git(...args: string[]): Buffer {
  return spawnSync('git', args, { cwd: ROOT, maxBuffer: 2 ** 30 }).stdout
}

function finish(
  command: string,
  args: string[],
  { env = {}, ...options }: { cwd?: string; input?: Buffer; env?: Record<string, string> },
): void {
  const { status, stderr, error } = spawnSync(command, args, { ...options, env: { ...process.env, ...env } })
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? stderr.toString()}`)
}

// A command of a release, which may be killed.
export function runCommand(
  { node, main }: Installed,
  settings: Environment,
  args: readonly string[],
): { child: ChildProcess; done: Promise<CommandRun> } {
  const child = spawn(node, [main, ...args], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const run = { code: 0, stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    run.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    run.stderr += chunk
  })
  return { child, done: once(child, 'close').then(([code]) => ({ ...run, code })) }
}
