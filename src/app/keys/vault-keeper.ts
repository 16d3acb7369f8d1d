import { WrongDatabase } from '#app/database/history.ts'
import { heldKeys, type KeyRing, type KeyRingStore } from '#base/crypto/key-ring.ts'
import { createVault, type KeysInForce, type Vault, type VaultKeeper } from '#base/crypto/vault.ts'
import type { Database } from '#base/db/db.ts'
import { Unavailable } from '#base/db/errors.ts'
import { newId } from '#base/ids.ts'

const ANNOUNCE_MS = 2_000 // a rotation waits for this long at most before it starts

interface Announcement {
  // Made for the first time. Never rejects: it is tried until it succeeds.
  readonly made: Promise<void>
  remove(): Promise<void>
}

export interface Keeper extends VaultKeeper {
  readonly numberKey: Buffer
  // From then on a rotation waits until this process holds its keys, and other processes leave its jobs alone.
  announce(workers: () => string[], onError: (error: unknown) => void): Announcement
}

const IN_FORCE = {
  name: 'keys_in_force',
  text: `select key_epoch as epoch, encryption_key as encryption, index_key as index,
                next_index_key as "nextIndex" from installation`,
}
const ANNOUNCE = {
  name: 'announce_process',
  text: `with gone as (delete from process where seen_at < now() - interval '1 hour')
         insert into process (id, keys, workers) values ($1, $2, $3)
         on conflict (id) do update set keys = excluded.keys, workers = excluded.workers, seen_at = now()`,
}
// A process that leaves in order says so. Otherwise a rotation would wait for it until it counts as gone.
const REMOVE = { name: 'remove_process', text: 'delete from process where id = $1' }

// The database says which keys are in force, the ring has them. Both are read again when either is ahead.
export async function openVaultKeeper(database: Database, store: KeyRingStore): Promise<Keeper> {
  let ring = store.read()
  let vault: Vault
  let refreshing: Promise<Vault> | undefined

  // Keys once known stay known to this process: something they sealed may be on its way to being opened.
  function readRing(): void {
    const read = store.read()
    if (read.fingerprint !== ring.fingerprint)
      throw new Unavailable('the key ring was replaced by another one')
    ring = {
      ...read,
      encryption: { ...read.encryption, byId: new Map([...ring.encryption.byId, ...read.encryption.byId]) },
      index: { ...read.index, byId: new Map([...ring.index.byId, ...read.index.byId]) },
    }
  }

  function findKey(id: string): Buffer | undefined {
    readRing()
    return ring.encryption.byId.get(id)
  }

  async function load(): Promise<Vault> {
    const [inForce] = await database.read<KeysInForce>(IN_FORCE, [])
    if (!inForce) throw new Unavailable('the database is not migrated')
    if (missing(ring, inForce)) readRing()
    const lost = missing(ring, inForce)
    if (lost) throw new Unavailable(`the key ring does not hold ${lost}, which is in force`)
    vault = createVault(ring, inForce, findKey)
    return vault
  }

  function refresh(): Promise<Vault> {
    refreshing ??= load().finally(() => {
      refreshing = undefined
    })
    return refreshing
  }

  vault = await load().catch((error) => {
    if (error instanceof Unavailable)
      throw new WrongDatabase(`${error.message}: give the newest copy of the ring`)
    throw error
  })
  return {
    numberKey: ring.numberKey,
    vault: () => vault,
    refresh,
    announce(workers, onError) {
      return announce(
        async (id) => {
          readRing()
          await database.writeOnce(ANNOUNCE, [id, heldKeys(ring), workers()])
        },
        { refresh, remove: (id) => database.writeOnce(REMOVE, [id]), onError },
      )
    },
  }
}

interface Announcing {
  refresh(): Promise<unknown>
  remove(id: string): Promise<unknown>
  onError(error: unknown): void
}

// Again and again, since a process that is silent is taken for one that is gone.
function announce(
  tell: (id: string) => Promise<void>,
  { refresh, remove, onError }: Announcing,
): Announcement {
  const id = newId<'process'>()
  const made = Promise.withResolvers<void>()
  const tellOnce = () => void tell(id).then(made.resolve).then(refresh).catch(onError)
  tellOnce()
  const timer = setInterval(tellOnce, ANNOUNCE_MS)
  timer.unref()
  return {
    made: made.promise,
    async remove() {
      clearInterval(timer)
      await remove(id).catch(onError)
    },
  }
}

function missing(ring: KeyRing, inForce: KeysInForce): string | undefined {
  if (!ring.encryption.byId.has(inForce.encryption)) return inForce.encryption
  return [inForce.index, inForce.nextIndex].find((id) => id !== null && !ring.index.byId.has(id)) ?? undefined
}
