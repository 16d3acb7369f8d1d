import type { Asset } from '#modules/ledger/types.ts'
import type { Metal } from '#modules/pricing/types.ts'

// The pages' names for the assets that the ledger calls by their codes.
export type MetalName = 'gold' | 'silver'
export const METAL_OF: Record<MetalName, Metal> = { gold: 'XAU', silver: 'XAG' }
export const NAME_OF_METAL: Record<Metal, MetalName> = { XAU: 'gold', XAG: 'silver' }

export type AssetName = 'points' | 'deposit' | MetalName
export const ASSET_OF: Record<AssetName, Asset> = { points: 'KRW_POINT', deposit: 'KRW', ...METAL_OF }
export const NAME_OF_ASSET: Record<Asset, AssetName> = {
  KRW_POINT: 'points',
  KRW: 'deposit',
  ...NAME_OF_METAL,
}
