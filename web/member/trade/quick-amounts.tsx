import type { Metal, Side } from '../../../contract/member.gen.ts'
import { Chip } from '../../kit/button.tsx'
import { gramsOf, withCommas } from '../../kit/format.ts'
import { useTexts } from '../../kit/language.tsx'
import { type AmountUnit, grouped } from '../shared/amount/amount.ts'
import { usePrices } from '../shared/assets-and-prices.tsx'
import { type Available, rateOf } from './available-balance.ts'
import { shareOf } from './estimate.ts'
import { TEXTS } from './texts.ts'

const MORE = [10_000, 100_000, 1_000_000] as const
const PERCENT = [25n, 50n, 100n] as const

interface Props {
  metal: Metal
  side: Side
  unit: AmountUnit
  typed: string
  amount: string | undefined
  have: Available
  onChange(typed: string, unit?: AmountUnit): void
}

// Shares of the balance, and won to add. A share switches the unit: won to buy with, grams to sell, because only in these
// it is exact.
export function QuickAmounts({ metal, side, unit, typed, amount, have, onChange }: Props) {
  const texts = useTexts(TEXTS)
  const { data: prices } = usePrices()
  // Grams without zeros at the end, as a person would type them.
  const take = (share: bigint) =>
    side === 'buy'
      ? onChange(withCommas(share), 'won')
      : onChange(grouped(gramsOf(share).replace(/\.?0+$/, '')), 'grams')
  const shares = PERCENT.map((percent) => ({
    percent,
    // Without prices nothing tells whether a share is large enough to trade, so none is offered.
    share: prices && shareOf(side, have.most, percent, rateOf(prices, { metal, side })),
  }))
  return (
    <div className="flex flex-col gap-2">
      <fieldset className="flex flex-wrap gap-2 *:flex-1 empty:hidden">
        <legend className="sr-only">{side === 'buy' ? texts.shareOfMoney : texts.shareOfMetal}</legend>
        {shares.map(
          ({ percent, share }) =>
            share !== undefined && (
              <Chip key={percent} onClick={() => take(share)}>
                {`${percent}%`}
              </Chip>
            ),
        )}
      </fieldset>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {unit === 'won' &&
          MORE.map((more) => (
            <Chip key={more} onClick={() => onChange(withCommas(BigInt(amount ?? 0) + BigInt(more)))}>
              {texts.plus[more]}
            </Chip>
          ))}
        {typed !== '' && <Chip onClick={() => onChange('')}>{texts.clear}</Chip>}
      </div>
    </div>
  )
}
