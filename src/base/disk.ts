import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** What is free where a folder is, or will be made. */
export function freeBytesAt(folder: string): number {
  let there = folder
  while (!existsSync(there)) there = dirname(there)
  const { bavail, bsize } = statfsSync(there)
  return bavail * bsize
}
