import type { Metal, Side } from '../../../contract/member.gen.ts'
import { don, grams, gramsOf, points, unitsOf } from '../../kit/format.ts'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import type { AmountUnit } from '../shared/amount/amount.ts'
import { usePrices } from '../shared/assets-and-prices.tsx'
import { type Available, rateOf } from './available-balance.ts'
import { estimate, type Size, smallest } from './estimate.ts'
import type { Wish } from './placing-orders.ts'
import { TEXTS } from './texts.ts'

// The price of a gram now, and the fee on top.
export function PriceLine({ metal, side }: { metal: Metal; side: Side }) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const { data } = usePrices()
  if (!data) return null
  const price = won(data[metal][side === 'buy' ? 'ask' : 'bid'])
  const fee = Number(data.feePercent) > 0 ? texts.feeShort(data.feePercent) : texts.feeNoneShort
  return `${side === 'buy' ? texts.askNow(price) : texts.bidNow(price)} · ${fee}`
}

interface Props {
  metal: Metal
  side: Side
  unit: AmountUnit
  amount: string | undefined
  have: Available
}

// An estimate with the fee, as long as there is no quote; and what the member has.
export function EstimateLine({ metal, side, unit, amount, have }: Props) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const { data: prices } = usePrices()
  const about = useAbout({ side, unit })
  // Worked out here, so that each key pressed is not a request. The quote decides.
  const found =
    amount !== undefined &&
    prices &&
    estimate(side, sizeOf({ unit, amount }), rateOf(prices, { metal, side }))
  const spendable = [
    have.points > 0 && texts.pointsOf(points(have.points)),
    have.deposit > 0 && texts.depositOf(won(have.deposit)),
  ]
  return (
    <>
      {found && <p className="font-medium text-body">{about(found)}</p>}
      <p>
        {side === 'buy'
          ? texts.spendable(spendable.filter(Boolean).join(' + '))
          : texts.sellable(grams(have.grams))}
      </p>
    </>
  )
}

const sizeOf = ({ unit, amount }: Pick<Wish, 'unit' | 'amount'>): Size =>
  unit === 'won' ? { won: BigInt(amount) } : { units: unitsOf(amount) }

// For an amount that is too small to be traded: the smallest one, in the unit that was typed. Only won to buy with and
// grams to sell can be too small.
export function useTooSmall(wish: Wish | undefined): string | undefined {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const { data: prices } = usePrices()
  if (!wish || !prices) return undefined
  const { side } = wish
  const rate = rateOf(prices, wish)
  if (estimate(side, sizeOf(wish), rate)) return undefined
  const { total, units } = smallest(side, rate)
  return texts.tooSmall(side === 'buy' ? won(Number(total)) : grams(gramsOf(units)))
}

function useAbout({ side, unit }: Pick<Props, 'side' | 'unit'>) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  return ({ units, fee, total }: { units: bigint; fee: bigint; total: bigint }) => {
    const weight = gramsOf(units)
    const size = unit === 'won' ? `${grams(weight)} · ${don(weight, language)}` : won(Number(total))
    const included = side === 'buy' ? texts.feeIncluded : texts.feeTaken
    return fee > 0n ? `${texts.about(size)} (${included(won(Number(fee)))})` : texts.about(size)
  }
}
