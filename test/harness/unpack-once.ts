import { existsSync, mkdtempSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { withFileLock } from '#base/file-lock.ts'
import { patiently } from './patience.ts'
import { temporaryFolder } from './process.ts'

// The run's own folder, removed at its end. A folder that all runs share would belong to its first user.
const VARIABLE = 'INGOT_TEST_UNPACKED'

/** By the runner, for all processes of the run. */
export function offerUnpackFolder(folder: string): void {
  process.env[VARIABLE] = folder
}

let own: ReturnType<typeof temporaryFolder> | undefined

/** The first process that needs it unpacks it for all. What one left half unpacked has another name. */
export async function unpackOnce(
  name: string,
  unpack: (folder: string) => Promise<unknown>,
): Promise<string> {
  if (process.env[VARIABLE] === undefined) own ??= temporaryFolder()
  const unpacked = join(process.env[VARIABLE] ?? own!.path, name)
  const unpackHere = async () => {
    if (existsSync(unpacked)) return
    const half = mkdtempSync(`${unpacked}-`)
    await unpack(half)
    renameSync(half, unpacked)
  }
  await withFileLock(`${unpacked}.lock`, unpackHere, { deadlineMs: patiently(120_000) })
  return unpacked
}
