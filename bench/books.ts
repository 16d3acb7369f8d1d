import type { Installation } from './installation.ts'
import type { Measured } from './rounds.ts'

export interface Books {
  ok: boolean
  text: string
}

export async function verifyBooks(installation: Installation): Promise<Books> {
  // A member, so that a command that is interrupted is not the one that has to stop the database.
  await installation.joinDatabase()
  const began = performance.now()
  try {
    // What is sealed here is of the right length and nothing more.
    await installation.command('verify', '--skip-sealed')
    return { ok: true, text: `ok in ${((performance.now() - began) / 1000).toFixed(1)} s` }
  } catch (error) {
    return { ok: false, text: `FAILED: ${(error as Error).message}` }
  }
}

export function summarise(measured: readonly Measured[], books: Books): boolean {
  const errors = measured.flatMap(({ name, samples }) => {
    const count = samples.reduce((sum, sample) => sum + sample.errors, 0)
    return count === 0 ? [] : [`${count} of ${name}`]
  })
  process.stdout.write(`\nverify: ${books.text}\nrequests that failed: ${errors.join('; ') || 'none'}\n`)
  return books.ok && errors.length === 0
}
