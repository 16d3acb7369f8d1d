// Where figures are counted from. Rows of the first two never change and have ids in order; members have neither.
export const NUMBERED_SOURCES = ['transfer', 'delivery_event'] as const
export type NumberedSource = (typeof NUMBERED_SOURCES)[number]

// A bearer card of more than this is beyond the decree on prepaid means. The console warns of such cards.
export const LARGE_CARD_WON = 500_000n
