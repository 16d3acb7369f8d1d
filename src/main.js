import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Compiled code is kept beside the dependencies, which halves the time a command takes to answer. Anything
// imported before this line would not be kept, so the rest comes after it. This file is JavaScript for the same
// reason: what strips types is itself slow to load, and needed for new code only.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/ingot', import.meta.url)))
const { findPacked } = await import('#app/packed-program.ts')
const { main } = await loadProgram()
process.exitCode = await main(process.argv.slice(2), process.env)

async function loadProgram() {
  const packed = findPacked()
  // Removed just now, or damaged: the sources are the same program.
  if (packed !== undefined) return import(packed).catch(() => import('#app/cli.ts'))
  return import('#app/cli.ts')
}
