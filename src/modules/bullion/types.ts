export const BULLION_SIDES = ['buy', 'sell'] as const
type BullionSide = (typeof BULLION_SIDES)[number]
export type BullionMetal = 'XAU' | 'XAG'

// Metal that the house bought or sold. units: of 0.0001 g.
export interface BullionTrade {
  id: string
  side: BullionSide
  metal: BullionMetal
  units: bigint
  won: bigint
  reference: string
  at: Temporal.Instant
}

export type BullionTerms = Pick<BullionTrade, 'side' | 'metal' | 'units' | 'won'>

export type BullionRefusal = 'bullion_out_of_bounds' | 'bullion_reference_used' | 'more_than_held'
