import type { Vault } from '#base/crypto/vault.ts'

// A sealed value of a row. One that does not open is left out, so that the other rows are still shown; `verify` reports it.
export function opened(
  vault: Vault,
  place: Parameters<Vault['open']>[0],
  sealed: Buffer | null,
): string | undefined {
  if (sealed === null) return undefined
  try {
    return vault.open(place, sealed)
  } catch {
    return undefined
  }
}
