import type { Installation } from './installation.ts'
import type { Measured } from './rounds.ts'

export interface Books {
  ok: boolean
  notes: string[]
}

// That the books balance after what was measured, and that every request was answered.
export async function verifyBooks(installation: Installation, measured: readonly Measured[]): Promise<Books> {
  const errors = measured.flatMap(({ name, samples }) => {
    const count = samples.reduce((sum, sample) => sum + sample.errors, 0)
    return count === 0 ? [] : [`${count} of ${name}`]
  })
  const failed = `requests that failed: ${errors.join('; ') || 'none'}`
  // A member, so that a command that is interrupted is not the one that has to stop the database.
  await installation.joinDatabase()
  const began = performance.now()
  try {
    // What is sealed here is of the right length and nothing more.
    await installation.command('verify', '--skip-sealed')
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    return { ok: errors.length === 0, notes: [`verify: ok in ${seconds} s`, failed] }
  } catch (error) {
    return { ok: false, notes: [`verify: FAILED: ${(error as Error).message}`, failed] }
  }
}
