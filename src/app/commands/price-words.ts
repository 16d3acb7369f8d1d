import { formatWon } from '#base/money.ts'
import type {
  EditableTradingTerms,
  ExecutePriceRefusal,
  ExecuteTradingTermsRefusal,
  PriceRefusal,
  TradingTermsRefusal,
} from '#flows/trading/change-trading.ts'

const TERMS: Record<keyof EditableTradingTerms, string> = {
  spreadBps: 'the spread',
  feeBps: 'the fee',
  maxAgeSeconds: 'the age',
}

export function priceWords(
  refusal: TradingTermsRefusal | ExecuteTradingTermsRefusal | PriceRefusal | ExecutePriceRefusal,
): string {
  switch (refusal.reason) {
    case 'term_out_of_bounds':
      return `${TERMS[refusal.term]} is between ${refusal.least} and ${refusal.most}`
    case 'terms_changed':
      return 'the terms have changed since it was asked for: ask again'
    case 'price_out_of_bounds':
      return 'a price is between 1 and 100,000,000 won'
    case 'price_beyond_hand':
      return 'a price by hand is at most 50% from what the feed said last, within a day, or from the last price'
    case 'price_jump':
      return `that is far from the last price, ${formatWon(refusal.last)}: if it is right all the same, say --force`
    case 'price_moved':
      return `the price has moved to ${formatWon(refusal.last)} since it was asked for: ask again`
    case 'price_of_this_moment':
      return 'there is a price of this very moment: approve it again'
  }
}
