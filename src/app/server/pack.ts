import { accessSync, constants, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { findPacked, PACKED } from '#app/packed-program.ts'
import { Explained } from '#base/explained.ts'
import { withFileLock } from '#base/file-lock.ts'
import { runScript } from './run-script.ts'

class NotPacked extends Explained {}

// Packs the program for the starts to come, if its sources have changed. Without what packs it, or in a tree that cannot be
// written to, nothing happens: the sources run as they are.
export async function ensurePacked({ inBackground = false } = {}): Promise<void> {
  if (findPacked() !== undefined || !canPack()) return
  await withFileLock(fileURLToPath(new URL('lock', PACKED)), async () => {
    if (findPacked() !== undefined) return
    const complaint = await runScript('tools/pack-program.ts', [], { inBackground })
    if (complaint !== undefined) throw new NotPacked(`the program cannot be packed:\n${complaint}`)
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
