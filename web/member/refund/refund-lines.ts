import type { RefundOffer } from '../../../contract/member.gen.ts'
import { type Language, points, won } from '../../kit/format.ts'
import { TEXTS } from './texts.ts'

// What the member receives, in its own unit: points buy metal, money can be withdrawn.
export function receives(
  { payout, total }: Pick<RefundOffer, 'payout' | 'total'>,
  language: Language,
): string {
  return payout === 'points' ? points(total) : won(total, language)
}

// face − deduction = total, as the service worked it out. A deduction of nothing is shown too: that is the offer.
export function refundLines(offer: RefundOffer, language: Language) {
  const texts = TEXTS[language]
  return [
    { name: texts.amount, value: won(offer.face, language) },
    {
      name: texts.deduction(offer.percent),
      value: won(offer.deduction === 0 ? 0 : -offer.deduction, language),
    },
    { name: texts.total, value: receives(offer, language), strong: true },
  ]
}
