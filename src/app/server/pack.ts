import { accessSync, constants, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { findPacked, PACKED } from '#app/packed-program.ts'
import { Explained } from '#base/explained.ts'
import { runScript, type ScriptOptions } from './run-script.ts'

class NotPacked extends Explained {}

// Packs the program for the starts to come, if its sources have changed. Without what packs it, or in a tree that cannot be
// written to, nothing happens: the sources run as they are.
export async function ensurePacked(options: ScriptOptions = {}): Promise<void> {
  if (findPacked() !== undefined || !canPack()) return
  const complaint = await runScript('tools/pack-program.ts', [], options)
  if (complaint !== undefined)
    throw new NotPacked(`the program is not packed and runs from its sources:\n${complaint}`)
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
