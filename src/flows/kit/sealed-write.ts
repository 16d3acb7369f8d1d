import type { Vault, VaultKeeper } from '#base/crypto/vault.ts'
import { type BatchedWrite, createBatchedWrite } from '#flows/kit/batched-write.ts'
import { retryStaleKeys, type StaleKeys } from '#flows/kit/retries.ts'

type WithEpoch<Sealed> = Sealed & { readonly epoch: number }

// A command that waits for its batch, with what it will be stored as: sealed before it joins, so that the
// database does not wait for it.
interface Sealable<Command, Sealed> {
  readonly command: Command
  sealed: WithEpoch<Sealed>
}

interface Sealing<Command, Sealed, Outcome> {
  keys: VaultKeeper
  seal(vault: Vault, command: Command): WithEpoch<Sealed>
  // One statement for all. The database takes nothing that was sealed in another epoch than the present one.
  write(epoch: number, sealed: readonly Sealed[]): Promise<Outcome[] | StaleKeys>
}

type SealedWrite<Command, Sealed, Outcome> = Sealing<Command, Sealed, Outcome> &
  Omit<BatchedWrite<Sealable<Command, Sealed>, Outcome>, 'write'>

// A batched write of what is sealed under the keys in force.
export function createSealedWrite<Command, Sealed, Outcome>({
  keys,
  seal,
  write,
  ...options
}: SealedWrite<Command, Sealed, Outcome>): (command: Command) => Promise<Outcome> {
  const submit = createBatchedWrite<Sealable<Command, Sealed>, Outcome>({
    ...options,
    write: (batch) => writeSealed({ keys, seal, write }, batch),
  })
  return (command) => submit({ command, sealed: seal(keys.vault(), command) })
}

function writeSealed<Command, Sealed, Outcome>(
  { keys, seal, write }: Sealing<Command, Sealed, Outcome>,
  batch: readonly Sealable<Command, Sealed>[],
): Promise<Outcome[]> {
  return retryStaleKeys(keys, (vault) => {
    for (const entry of batch) {
      if (entry.sealed.epoch !== vault.epoch) entry.sealed = seal(vault, entry.command)
    }
    return write(
      vault.epoch,
      batch.map((entry) => entry.sealed),
    )
  })
}
