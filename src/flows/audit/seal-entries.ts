import type { Vault } from '#base/crypto/vault.ts'
import type { Tx } from '#base/db/db.ts'
import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import {
  hideWords,
  insertLinks,
  listUnsealed,
  markSealed,
  readHead,
  tryLockChain,
} from '#modules/audit/chain.ts'
import { insertPrivate, sealPrivate } from '#modules/audit/private.ts'
import { type EntryText, linkEntries, splitPrivate } from '#modules/audit/rules.ts'

const CHUNK = 1_000 // well under a second, also where words have to be sealed

// Gives entries their positions in the chain, after their commit. Each chunk is one transaction: killed anywhere, the next
// sealer goes on from the last position that was committed. Returns how many were sealed; -1 if another sealer is at work.
export function sealChunk(deps: VaultDeps): Promise<number> {
  return withVault(deps, async (tx, vault) => {
    if (!(await tryLockChain(tx))) return -1
    // After the lock: what the sealer before has committed is seen.
    const head = await readHead(tx)
    const { entries, isBacklog } = await listUnsealed(tx, CHUNK)
    if (entries.length === 0) return 0
    const hidden = await hidePlainWords(tx, vault, entries)
    await insertLinks(tx, linkEntries(head, hidden))
    await markSealed(
      tx,
      hidden.map(({ id }) => id),
      isBacklog,
    )
    return hidden.length
  })
}

export async function sealEntries(
  deps: VaultDeps,
  onProgress: (sealed: number) => void = () => {},
  isOver: () => boolean = () => false,
): Promise<number> {
  for (let sealed = 0; ; ) {
    const more = isOver() ? 0 : await sealChunk(deps)
    if (more <= 0) return sealed
    sealed += more
    onProgress(sealed)
  }
}

// Entries of earlier releases have the typed words among their details. They are sealed apart before the hash is made.
async function hidePlainWords(tx: Tx, vault: Vault, entries: readonly EntryText[]): Promise<EntryText[]> {
  const hidden = []
  for (const entry of entries) hidden.push(entry.privateId === null ? await hideOne(tx, vault, entry) : entry)
  return hidden
}

async function hideOne(tx: Tx, vault: Vault, entry: EntryText): Promise<EntryText> {
  const { words } = splitPrivate(JSON.parse(entry.details))
  if (Object.keys(words).length === 0) return entry
  const sealed = sealPrivate(vault, words)
  await insertPrivate(tx, [sealed])
  const parts = { privateId: sealed.id, privateHash: sealed.hash }
  return { ...entry, ...parts, details: await hideWords(tx, { id: entry.id, ...parts }) }
}
