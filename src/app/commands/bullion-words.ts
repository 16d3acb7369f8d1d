import type { RequestBullionRefusal } from '#flows/books/trade-bullion.ts'
import { gramsText } from '#modules/pricing/rules.ts'

export function bullionWords(refusal: RequestBullionRefusal): string {
  switch (refusal.reason) {
    case 'reference_invalid':
      return 'a reference has 1 to 100 characters, as on the dealer’s invoice'
    case 'bullion_out_of_bounds':
      return 'a trade has at least 0.0001 g and ₩1, and at most a thousand tons and ₩1,000,000,000,000,000'
    case 'bullion_reference_used':
      return `${refusal.reference} is another trade: each has a reference of its own`
    case 'more_than_held':
      return `the house holds ${gramsText(refusal.held)} g: more cannot be sold`
  }
}
