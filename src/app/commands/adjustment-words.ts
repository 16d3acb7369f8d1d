import { formatWon } from '#base/money.ts'
import type { RequestAdjustmentRefusal } from '#flows/holdings/adjust-holding.ts'

export function adjustmentWords(refusal: RequestAdjustmentRefusal): string {
  switch (refusal.reason) {
    case 'holder_not_found':
      return 'there is no such member or link'
    case 'holder_frozen':
      return 'the member is frozen: nothing of theirs moves until `member thaw`'
    case 'holder_closed':
      return 'the account is closed: nobody could use what is added'
    case 'adjusted_below_zero':
      return `only ${formatWon(refusal.balance)} are held: a holding never goes below zero`
    case 'amount_out_of_bounds':
      return `an adjustment is between ₩1 and ${formatWon(refusal.most)}`
  }
}
