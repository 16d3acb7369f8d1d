import { constants } from 'node:fs'
import { lchown, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Account } from './account.ts'
import { type BaseCopy, type CopySink, copyBase } from './base-copy.ts'
import { syncFolder } from './placement-record.ts'

/**
 * Writes a cluster's files into a folder that does not exist yet. `finish` returns when all of it is on the disk. The account
 * gets the folders last: until then it can put no link where root writes.
 */
export function folderWriter(
  target: string,
  account: Account | null,
): CopySink & { finish(): Promise<void> } {
  const folders: string[] = []
  const files: string[] = []
  async function makeFolder(path: string): Promise<void> {
    await mkdir(path, { mode: 0o700 })
    folders.push(path)
  }
  return {
    async folder(path) {
      if (folders.length === 0) await makeFolder(target)
      await makeFolder(join(target, path))
    },
    async file(path, content) {
      if (folders.length === 0) await makeFolder(target)
      const to = join(target, path)
      const file = await open(to, 'wx', 0o600)
      try {
        for await (const chunk of content) await file.writeFile(chunk)
        if (account) await file.chown(account.uid, account.gid)
      } finally {
        await file.close()
      }
      files.push(to)
    },
    // One by one after all were written: by then the system has written most of them out by itself.
    async finish() {
      for (const path of files) {
        const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW)
        await file.sync().finally(() => file.close())
      }
      // The inner ones first, so that those above are still root's.
      for (const path of folders.toReversed()) {
        syncFolder(path)
        if (account) await lchown(path, account.uid, account.gid)
      }
      syncFolder(dirname(target))
    },
  }
}

/** A copy of a running cluster as plain files: a whole cluster that recovers at its first start. */
export async function copyBaseTo(
  connection: Parameters<typeof copyBase>[0],
  cluster: string,
  target: string,
  options: { account?: Account | null; onProgress?: (done: number, total: number) => void } = {},
): Promise<BaseCopy> {
  const writer = folderWriter(target, options.account ?? null)
  const { onProgress } = options
  const copy = await copyBase(connection, cluster, writer, onProgress ? { onProgress } : {})
  await writer.finish()
  return copy
}
