import { type ChildProcess, fork, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

// Every process the benchmark starts is known here, so that none is left behind however it ends.
const running = new Set<ChildProcess>()
const stopping = new WeakMap<ChildProcess, Promise<void>>()
let ending = false

const PATIENCE_MS = 30_000 // the server allows itself 15 s to answer what is under way

function track(startChild: () => ChildProcess): ChildProcess {
  if (ending) throw new Error('the benchmark is ending')
  const child = startChild()
  if (child.pid !== undefined) running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

export function start(file: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  return track(() => spawn(file, args, options))
}

export interface Printed {
  output: string
  complaints: string
}

// Runs to its end and gives what it printed; fails with what it complained of.
export async function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Printed> {
  const child = start(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = Promise.withResolvers<number | null>()
  child.once('error', ended.reject)
  child.once('close', ended.resolve)
  const [code, output, complaints] = await Promise.all([
    ended.promise,
    text(child.stdout!),
    text(child.stderr!),
  ])
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}: ${complaints || output}`)
  return { output, complaints }
}

export function stop(child: ChildProcess): Promise<void> {
  const promise = stopping.get(child) ?? stopOnce(child)
  stopping.set(child, promise)
  return promise
}

export function isStopping(child: ChildProcess): boolean {
  return stopping.has(child)
}

async function stopOnce(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const impatience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  await exited
  clearTimeout(impatience)
}

// For good: whatever still wants to start one fails.
export async function stopAll(): Promise<void> {
  ending = true
  await Promise.all([...running].map(stop))
}

// A process that takes one job at a time and stays for the next: its code is compiled once, as it would be
// in a client that runs all day.
export interface Helper<Job, Result> {
  run(job: Job): Promise<Result>
  stop(): Promise<void>
}

type Answer<Result> = { result: Result } | { failed: string }

export function startHelper<Job extends object, Result>(file: URL): Helper<Job, Result> {
  const child = track(() => fork(file, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }))
  return {
    run(job) {
      const answered = Promise.withResolvers<Result>()
      const onExit = () => answered.reject(new Error(`${file.pathname.split('/').at(-1)} ended`))
      child.once('exit', onExit)
      child.once('message', (answer: Answer<Result>) => {
        child.off('exit', onExit)
        if ('failed' in answer) answered.reject(new Error(answer.failed))
        else answered.resolve(answer.result)
      })
      child.send(job)
      return answered.promise
    },
    stop: () => stop(child),
  }
}

// The other side of startHelper.
export function answerJobs<Job, Result>(work: (job: Job) => Promise<Result>): void {
  process.on('message', (job: Job) => {
    work(job).then(
      (result) => process.send?.({ result } satisfies Answer<Result>),
      (error: unknown) => process.send?.({ failed: String(error) } satisfies Answer<Result>),
    )
  })
  process.on('disconnect', () => process.exit())
}
