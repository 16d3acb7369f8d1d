import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freeBytesAt } from '#base/disk.ts'
import {
  contains,
  LOCK_NAME,
  listBackupIds,
  prepareBackupFolder,
  refuseInside,
  refuseOtherPlace,
  settlePlace,
} from './backup-folder.ts'
import { createSlot, dropSlots, findSlot, newChainId } from './chain.ts'
import { BackupError, DamagedBackup } from './error.ts'
import { createGivingWay } from './give-way.ts'
import { readKeyFile } from './key-file.ts'
import { readManifest } from './manifest.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { folderOf, knownPlan, writePlan } from './plan.ts'
import { type Pruned, prune } from './prune.ts'
import { leaveRoom } from './room.ts'
import type { BackupKey } from './sealed-format.ts'
import { type Source, withClient } from './source.ts'
import { type CopyOptions, type Taken, takeBackup } from './take-backup.ts'

export interface Wish {
  readonly dir: string
  readonly keyFile: string
  readonly keep: number
  /** True: to where the plan says. A folder that has only its name is refused. */
  readonly asPlanned?: boolean
  /** A copy that stands alone: nothing is archived after it, and nothing is removed. */
  readonly once: boolean
}

/** One full copy and, unless it stands alone, the archive that goes on from it. */
export async function runBackup(
  source: Source,
  wish: Wish,
  onProgress: CopyOptions['onProgress'],
  freeAt = freeBytesAt,
): Promise<Taken & { pruned: Pruned }> {
  const { dir, keyFile } = wish
  const rest = createGivingWay()
  const options: CopyOptions = {
    onProgress,
    async giveWay(mayWait) {
      leaveRoom(dir, source.location.cluster, freeAt)
      await rest(mayWait)
    },
  }
  const key = readKeyFile(keyFile)
  refuseInside(dir, source.dataDir)
  refuseKeyBeside(keyFile, dir, source.dataDir)
  if (wish.asPlanned) refuseOtherPlace(dir, knownPlan(source.dataDir)?.place)
  prepareBackupFolder(dir, source.dataDir)
  const other = 'another backup is under way'
  return oneAtATime(join(source.dataDir, 'backup.lock'), other, () =>
    oneAtATime(join(dir, LOCK_NAME), other, async () => {
      await refuseOthers(dir, key, source)
      if (!wish.once) return copyAndArchive(source, wish, key, options)
      const taken = await takeBackup(source, dir, key, null, options)
      return { ...taken, pruned: { backups: [], segments: 0, unreadable: [] } }
    }),
  )
}

// The plan comes last. Until the copy has ended, the archive of before goes on, so a copy that fails costs nothing. A slot that
// a kill left behind is dropped by the next backup.
async function copyAndArchive(
  source: Source,
  { dir, keyFile, keep }: Wish,
  key: BackupKey,
  options: CopyOptions,
): Promise<Taken & { pruned: Pruned }> {
  const { dataDir } = source
  const place = settlePlace(dir)
  const chain = await openChain(source, { dir, place, keyId: key.id })
  try {
    const taken = await takeBackup(source, dir, key, chain, options)
    const { id, endedAt } = taken.manifest
    const last = { id, endedAt }
    const folder = folderOf(dataDir)
    writePlan(dataDir, { format: 1, dir, place, keyFile, keyId: key.id, keep, folder, chain, last })
    return { ...taken, pruned: await prune(dir, key, keep, taken.manifest) }
  } finally {
    // All but the one that the plan names now: the new one if the copy failed, otherwise the one before it.
    // If the database is gone, the next backup does it.
    const chain = knownPlan(dataDir)?.chain ?? null
    await withClient(source.embedded, (client) => dropSlots(client, chain)).catch(() => {})
  }
}

// The chain of before, if it goes to the same place and has lost nothing, or a new one.
async function openChain(
  { dataDir, embedded }: Source,
  target: { dir: string; place: string; keyId: string },
): Promise<string> {
  return withClient(embedded, async (client) => {
    const known = knownPlan(dataDir)
    await dropSlots(client, known?.chain ?? null)
    const isSame =
      known?.dir === target.dir &&
      known.keyId === target.keyId &&
      (known.place ?? target.place) === target.place
    if (isSame && known.chain && (await findSlot(client, known.chain))) return known.chain
    const chain = newChainId()
    await createSlot(client, chain)
    return chain
  })
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
