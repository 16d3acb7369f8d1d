import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

// Fills the compile cache for an image whose files are read-only later: one start of a sandbox up to readiness, and a
// command. Node writes its cache when a process ends, so the service is stopped in the usual way.
const INGOT = join(import.meta.dirname, '../deploy/bin/ingot')
const READY_MS = 120_000
// What a first call would load is loaded some seconds after the service is ready (src/app/server/load-rest.ts).
const LOAD_REST_MS = 10_000

const folder = mkdtempSync(join(tmpdir(), 'warm-'))
const port = '3999'
const env = { ...process.env, DATA_DIR: folder, HOST: '127.0.0.1', PORT: port, LOG_LEVEL: 'error' }
const server = spawn(INGOT, ['serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
const ended = once(server, 'exit')
try {
  await untilReady()
  run('partner', 'list')
  await sleep(LOAD_REST_MS)
} finally {
  server.kill('SIGTERM')
}
const [code] = await ended
rmSync(folder, { recursive: true, force: true })
process.exitCode = code ?? 1

async function untilReady(): Promise<void> {
  const began = performance.now()
  while (server.exitCode === null && performance.now() - began < READY_MS) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(100)
  }
  throw new Error('the service did not become ready')
}

function run(...words: string[]): void {
  const { status } = spawnSync(INGOT, words, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`ingot ${words.join(' ')} failed`)
}
