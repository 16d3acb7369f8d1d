import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ClientBase } from 'pg'
import { contains, LOCK_NAME, listBackupIds, prepareBackupFolder, refuseInside } from './backup-folder.ts'
import { createSlot, dropSlots, findSlot, newChainId } from './chain.ts'
import { BackupError, DamagedBackup } from './error.ts'
import { readKeyFile } from './key-file.ts'
import { readManifest } from './manifest.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { type BackupPlan, folderOf, readPlan, writePlan } from './plan.ts'
import { type Pruned, prune } from './prune.ts'
import type { BackupKey } from './sealed-format.ts'
import { type Source, withClient } from './source.ts'
import { type Taken, takeBackup } from './take-backup.ts'

export interface Wish {
  readonly dir: string
  readonly keyFile: string
  readonly keep: number
  /** A copy that stands alone: nothing is archived after it, and nothing is removed. */
  readonly once: boolean
}

/** One full copy and, unless it stands alone, the archive that goes on from it. */
export async function runBackup(
  source: Source,
  wish: Wish,
  onProgress: (done: number, total: number) => void,
): Promise<Taken & { pruned: Pruned }> {
  const { dir, keyFile } = wish
  const key = readKeyFile(keyFile)
  refuseInside(dir, source.dataDir)
  refuseKeyBeside(keyFile, dir, source.dataDir)
  prepareBackupFolder(dir, source.dataDir)
  const other = 'another backup is under way'
  return oneAtATime(join(source.dataDir, 'backup.lock'), other, () =>
    oneAtATime(join(dir, LOCK_NAME), other, async () => {
      await refuseOthers(dir, key, source)
      const plan = wish.once ? undefined : await settlePlan(source, wish, key)
      const taken = await takeBackup(source, dir, key, plan?.chain ?? null, onProgress)
      if (!plan) return { ...taken, pruned: { backups: [], segments: 0 } }
      const { id, endedAt } = taken.manifest
      writePlan(source.dataDir, { ...plan, last: { id, endedAt } })
      return { ...taken, pruned: await prune(dir, key, plan.keep, taken.manifest) }
    }),
  )
}

// Whoever has the folder would have its key too.
function refuseKeyBeside(keyFile: string, dir: string, dataDir: string): void {
  const folder = realpathSync(dirname(keyFile))
  for (const place of [dir, dataDir]) {
    if (!existsSync(place) || !contains(realpathSync(place), folder)) continue
    throw new BackupError(
      `the backup key ${keyFile} is inside ${place}: keep it elsewhere, it is lost or stolen with it`,
    )
  }
}

// A damaged one is left to `backup verify`: it is no reason to make no new one.
async function refuseOthers(dir: string, key: BackupKey, { installation }: Source): Promise<void> {
  for (const id of listBackupIds(dir)) {
    const found = await readManifest(dir, id, key).catch((error) => {
      if (!(error instanceof DamagedBackup)) throw error
    })
    if (!found || found.installation.systemId === installation.systemId) continue
    throw new BackupError(`${dir} holds backups of another installation (${id}): use a folder for each`)
  }
}

// The plan goes first: a slot that no plan names is dropped, a plan whose slot is missing makes a new one.
async function settlePlan(
  source: Source,
  wish: Wish,
  key: BackupKey,
): Promise<BackupPlan & { chain: string }> {
  const { dataDir, embedded } = source
  return withClient(embedded, async (client) => {
    const known = knownPlan(dataDir)
    const goesOn = known?.dir === wish.dir && known.keyId === key.id ? known.chain : null
    const chain = goesOn && (await findSlot(client, goesOn)) ? goesOn : newChainId()
    const { dir, keyFile, keep } = wish
    const last = chain === goesOn ? (known?.last ?? null) : null
    const plan = {
      format: 1,
      dir,
      keyFile,
      keyId: key.id,
      keep,
      folder: folderOf(dataDir),
      chain,
      last,
    } as const
    writePlan(dataDir, plan)
    if (chain !== goesOn) await beginChain(client, chain)
    return plan
  })
}

async function beginChain(client: ClientBase, chain: string): Promise<void> {
  await dropSlots(client, chain)
  await createSlot(client, chain)
}

// Of a folder that was copied or moved, or a damaged one: a new plan takes its place.
function knownPlan(dataDir: string): BackupPlan | undefined {
  try {
    return readPlan(dataDir)
  } catch {
    return undefined
  }
}
