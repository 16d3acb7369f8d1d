import type { Vault } from '#base/crypto/vault.ts'
import type { Place } from '#modules/ledger/movements.ts'
import { ASSETS, type Asset } from '#modules/ledger/types.ts'

export interface CursorOf {
  holderId: string
  asset: Asset | undefined
  list: 'movements' | 'acts'
}

// Sealed for its holder: it does not show how many movements there are, and cannot be made up. Cursors of movements
// keep their earlier name, so that open pages continue.
const placeOf = ({ holderId, asset, list }: CursorOf) => ({
  table: list === 'acts' ? 'acts cursor' : 'history cursor',
  column: asset ?? 'all',
  row: holderId,
})

export function sealCursor(vault: Vault, of: CursorOf, { before, balances }: Place): string {
  const numbers = [before, ...ASSETS.map((asset) => balances[asset])]
  return vault.seal(placeOf(of), numbers.join(' ')).toString('base64url')
}

export function openCursor(vault: Vault, of: CursorOf, cursor: string): Place | undefined {
  try {
    const text = vault.open(placeOf(of), Buffer.from(cursor, 'base64url'))
    const [before, ...held] = text.split(' ').map(BigInt)
    const balances = Object.fromEntries(ASSETS.map((asset, i) => [asset, held[i]!])) as Place['balances']
    return { before: before!, balances }
  } catch {
    return undefined
  }
}
