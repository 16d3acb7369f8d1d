import { spawn } from 'node:child_process'
import { accessSync, constants, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants as priorities, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { findPacked, PACKED } from '#app/packed-program.ts'
import { Explained } from '#base/explained.ts'
import { withFileLock } from '#base/file-lock.ts'
import { ROOT } from '#base/root.ts'

class NotPacked extends Explained {}

// Packs the program for the starts to come, if its sources have changed. Without what packs it, or in a tree that cannot be
// written to, nothing happens: the sources run as they are.
export async function ensurePacked({ inBackground = false } = {}): Promise<void> {
  if (findPacked() !== undefined || !canPack()) return
  await withFileLock(fileURLToPath(new URL('lock', PACKED)), async () => {
    if (findPacked() === undefined) await pack(inBackground)
  })
}

function canPack(): boolean {
  try {
    createRequire(import.meta.url).resolve('rolldown')
    mkdirSync(PACKED, { recursive: true })
    accessSync(PACKED, constants.W_OK)
    return true
  } catch {
    return false
  }
}

// In a process of its own: our heap is small on purpose.
async function pack(inBackground: boolean): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('tools/pack-program.ts', ROOT))], {
    cwd: fileURLToPath(ROOT),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (inBackground) letOthersFirst(child.pid)
  const end = () => child.kill()
  process.once('exit', end)
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => said.push(String(part)))
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  process.off('exit', end)
  if (code !== 0) throw new NotPacked(`the program cannot be packed:\n${said.join('').slice(-4_000)}`)
}

function letOthersFirst(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, priorities.priority.PRIORITY_LOW)
  } catch {
    // Not on this system; or it has ended.
  }
}
