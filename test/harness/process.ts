import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterTest } from './at-end.ts'
import { type CommandRun, runLoaded } from './commands.ts'
import './leash.ts'
import { until, within } from './patience.ts'

export const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))
const OURS = { node: process.execPath, main: MAIN }
// Room for what a start makes and drops. With Node's own, a tenth of its time goes to collecting it.
const ROOM = ['--min-semi-space-size=32', '--max-semi-space-size=32']
const CLEAN = [
  'PORT',
  'HOST',
  'PUBLIC_URL',
  'DATABASE_URL',
  'INGOT_MODE',
  'INGOT_ROLES',
  'INGOT_PROCESSES',
  'LOG_LEVEL',
  'METRICS_ADDRESS',
]

export type Environment = Record<string, string>

function environment(settings: Environment): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !CLEAN.includes(name))
  return { ...Object.fromEntries(inherited), ...settings }
}

export function temporaryFolder(below = tmpdir()): { path: string; remove(): void } {
  const path = mkdtempSync(join(below, 'process-'))
  // As root, PostgreSQL's account must be able to pass through; otherwise the cluster is placed elsewhere.
  chmodSync(path, 0o711)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

// What a command does and says. One that serves or builds is started as a person does.
export async function ingot(settings: Environment, ...args: string[]): Promise<CommandRun> {
  const isLight = !['serve', 'build'].includes(args[0] ?? '')
  return (isLight && runLoaded(args, environment(settings))) || startIngot(settings, ...args)
}

// The command line as a person runs it.
export async function startIngot(settings: Environment, ...args: string[]): Promise<CommandRun> {
  const child = spawn(process.execPath, [...ROOM, MAIN, ...args], {
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = once(child, 'close')
  try {
    const [code] = await within(ended, () => `ingot ${args.join(' ')} ends: ${stdout}${stderr}`)
    return { code, stdout, stderr }
  } finally {
    child.kill('SIGKILL')
  }
}

export interface ServerProcess {
  url: string
  child: ChildProcess
  output(): string
  // The exit code, or the signal's name.
  ended: Promise<number | string>
  kill(signal: NodeJS.Signals): Promise<number | string>
}

// Below those that systems give to connections and to servers that ask for any: one of these may be taken again by the time it
// is used.
const PORTS = [10_240, 32_768] as const

export async function freePort(): Promise<number> {
  const port = randomInt(...PORTS)
  const server = createServer().listen(port, '127.0.0.1')
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  server.close()
  return isFree ? port : freePort()
}

// The real server process, up to its readiness. All in one process, which is the cheapest: a test about the usual layout
// sets INGOT_PROCESSES, to '' for the default.
export async function startServer(settings: Environment, program = OURS): Promise<ServerProcess> {
  const server = await launchServer(settings, program)
  await waitReady(server.url, server.ended, server.output)
  return server
}

// The same, from its first moment on.
export async function launchServer(settings: Environment, program = OURS): Promise<ServerProcess> {
  const port = settings.PORT ?? String(await freePort())
  const child = spawn(program.node, [...ROOM, program.main, 'serve'], {
    env: environment({ INGOT_PROCESSES: '0', ...settings, PORT: port }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const ended = once(child, 'close').then(([code, signal]) => (signal as string) ?? (code as number))
  const url = `http://127.0.0.1:${port}`
  // A test that fails half way leaves no server behind.
  afterTest(() => child.kill('SIGKILL'))
  return {
    url,
    child,
    output: () => output,
    ended,
    kill(signal) {
      child.kill(signal)
      return within(ended, () => `the server ends by ${signal}: ${output}`)
    },
  }
}

// Until these processes of a service have answered. Each question comes by a connection of its own, which the supervisor
// hands to the next process.
export async function untilAnswering({ url, output }: ServerProcess, ...names: string[]): Promise<void> {
  const began = output().length
  await until(
    async () => {
      await new Promise((done) =>
        get(`${url}/healthz`, { agent: false })
          .once('response', (a) => a.resume())
          .once('close', done)
          .once('error', done),
      )
      const answered = output().slice(began)
      return names.every((name) => answered.includes(`"process":"${name}","requestId"`))
    },
    `${names.join(' and ')} answer`,
  )
}

// The processes of a service by name: `api 1`, `worker`.
export function processesOf({ child }: ServerProcess): Map<string, number> {
  const found = new Map<string, number>()
  for (const { pid, parent, command } of listProcesses()) {
    const [, kind, number] = /\bserve (api|worker) (\d+)/.exec(command) ?? []
    if (parent === child.pid && kind) found.set(kind === 'worker' ? kind : `${kind} ${number}`, pid)
  }
  return found
}

export function isAlive(pid: number): boolean {
  return listProcesses().some((one) => one.pid === pid)
}

export function listProcesses(): { pid: number; parent: number; command: string }[] {
  if (existsSync('/proc/self/stat')) {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          // After the name in brackets: the state, then the parent.
          const [state, parent] = readFileSync(`/proc/${name}/stat`, 'utf8')
            .replace(/^.*\) /s, '')
            .split(' ')
          const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
          return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), command }]
        } catch {
          return [] // ended since
        }
      })
  }
  const { stdout } = spawnSync('ps', ['-axww', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }]
  })
}

async function waitReady(url: string, ended: Promise<unknown>, output: () => string): Promise<void> {
  let gone = false
  void ended.then(() => {
    gone = true
  })
  const isReady = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200
  await until(async () => gone || (await isReady()), 'the server is ready').catch((error) => {
    throw new Error(`${error.message}: ${output()}`)
  })
  if (gone) throw new Error(`the server ended: ${output()}`)
}
