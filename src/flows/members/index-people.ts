import { type VaultDeps, withVault } from '#flows/kit/with-vault.ts'
import { indexPeople } from '#modules/members/search.ts'

const CHUNK = 200 // some 20 ms of opening under row locks

// Makes people findable by name and number: those of before there was an index, and those who came or changed since. In small
// transactions under the keys in force, so that it can be stopped anywhere. False if there are more than `most`.
export async function indexNewPeople(
  deps: VaultDeps,
  most: number,
): Promise<{ count: number; all: boolean }> {
  for (let count = 0; count < most; ) {
    const done = await withVault(deps, (tx, vault) => indexPeople(tx, vault, CHUNK))
    count += done
    if (done === 0) return { count, all: true }
  }
  return { count: most, all: false }
}
