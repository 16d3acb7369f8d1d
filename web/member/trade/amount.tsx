import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Order, Quote } from '../../../contract/member.gen.ts'
import { AmountInput } from '../../kit/amount-input.tsx'
import { ask, refusalOf } from '../../kit/api.ts'
import { Button, Chip } from '../../kit/button.tsx'
import { Segments } from '../../kit/field.tsx'
import { don, grams, unitsOf } from '../../kit/format.ts'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import { type Metal, TradingNote, useAssets, usePrices } from '../../kit/market.tsx'
import { Problem } from '../../kit/parts.tsx'
import { Bottom, Heading, Screen } from '../../kit/screen.tsx'
import { SignedIn } from '../../kit/session.tsx'
import { QuoteSheet } from './quote-sheet.tsx'
import { type Side, TEXTS } from './texts.ts'

const CHIPS = [10_000, 100_000, 1_000_000] as const
const MOST_WON = 1_000_000_000

type Unit = 'won' | 'grams'
interface Props {
  metal: Metal
  side: Side
  onPlaced(order: Order): void
}

export function AmountScreen(props: Props) {
  const texts = useTexts(TEXTS)
  const title = props.side === 'buy' ? texts.buy(texts[props.metal]) : texts.sell(texts[props.metal])
  return (
    <Screen title={title} back>
      <SignedIn>{() => <AmountForm {...props} />}</SignedIn>
    </Screen>
  )
}

function AmountForm({ metal, side, onPlaced }: Props) {
  const texts = useTexts(TEXTS)
  const prices = usePrices()
  const [unit, setUnit] = useState<Unit>('won')
  const [typed, setTyped] = useState('')
  const [quote, setQuote] = useState<Quote>()
  const limits = useLimits(metal, side)
  const offer = useMutation({
    mutationFn: () =>
      ask('POST /quotes', {
        body: {
          side,
          metal,
          ...(unit === 'won' ? { won: Number(typed) } : { grams: typed.replace(/\.$/, '') }),
        },
      }),
    onSuccess: setQuote,
  })
  const shut = prices.data !== undefined && prices.data.trading !== 'open'
  const some = unit === 'won' ? Number(typed) >= 1 : unitsOf(typed || '0') > 0n
  const refusal = offer.isError ? refusalOf(offer.error) : undefined
  const tooMuch = isTooMuch(limits, side, unit, typed)
  const change = (next: string) => [setTyped(next), offer.reset()]
  const choose = (next: Unit) => [setUnit(next), change('')]
  return (
    <form
      noValidate
      className="flex flex-1 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (some && !tooMuch && !offer.isPending) offer.mutate()
      }}
    >
      <TradingNote trading={prices.data?.trading} />
      <Heading>{side === 'buy' ? texts.howMuchBuy(texts[metal]) : texts.howMuchSell(texts[metal])}</Heading>
      <UnitChoice unit={unit} onChange={choose} />
      <AmountInput
        label={unit === 'won' ? texts.amountWon : texts.amountGrams}
        unit={unit}
        value={typed}
        onChange={change}
        hint={<Estimate {...{ metal, side, unit, typed }} />}
        error={tooMuch ? texts.tooMuch : undefined}
      />
      <Chips {...{ side, unit, typed, limits }} onChange={change} />
      <Problem refusal={quote ? undefined : refusal} />
      <Bottom>
        <Button type="submit" look={side} disabled={!some || tooMuch || shut} busy={offer.isPending}>
          {texts.next}
        </Button>
      </Bottom>
      {quote && (
        <QuoteSheet
          {...{ quote, onPlaced }}
          renewing={offer.isPending}
          renewFailed={refusal}
          onRenew={offer.mutate}
          onClose={() => setQuote(undefined)}
        />
      )}
    </form>
  )
}

function UnitChoice({ unit, onChange }: { unit: Unit; onChange(unit: Unit): void }) {
  const texts = useTexts(TEXTS)
  const options = [
    { value: 'won', label: texts.byWon },
    { value: 'grams', label: texts.byGrams },
  ] as const
  return <Segments<Unit> hideLegend legend={texts.unit} value={unit} options={options} onChange={onChange} />
}

interface Limits {
  spendable: number | undefined
  held: string | undefined
  // Won per gram, for estimates only: the quote decides.
  price: number | undefined
}

function useLimits(metal: Metal, side: Side): Limits {
  const { data: assets } = useAssets()
  const { data: prices } = usePrices()
  return {
    spendable: assets && assets.points + assets.deposit,
    held: assets?.[metal].grams,
    price: prices && (side === 'buy' ? prices[metal].ask : prices[metal].bid),
  }
}

function isTooMuch({ spendable, held }: Limits, side: Side, unit: Unit, typed: string): boolean {
  if (unit === 'won' && side === 'buy') return spendable !== undefined && Number(typed) > spendable
  if (unit === 'grams' && side === 'sell') return held !== undefined && unitsOf(typed || '0') > unitsOf(held)
  return false
}

// What it comes to, as far as one can say before there is a price to hold on to.
function Estimate({ metal, side, unit, typed }: { metal: Metal; side: Side; unit: Unit; typed: string }) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const { spendable, held, price } = useLimits(metal, side)
  const have =
    side === 'buy'
      ? spendable !== undefined && texts.spendable(won(spendable))
      : held !== undefined && texts.sellable(grams(held))
  if (typed === '' || price === undefined) return have
  const amount = Number(typed)
  const weight = (amount / price).toFixed(4)
  const other =
    unit === 'won' ? `${grams(weight)} · ${don(weight, language)}` : won(Math.round(amount * price))
  return (
    <>
      {texts.about(other)} {have && `· ${have}`}
    </>
  )
}

function Chips(props: {
  side: Side
  unit: Unit
  typed: string
  limits: Limits
  onChange(typed: string): void
}) {
  const texts = useTexts(TEXTS)
  const { side, unit, typed, limits } = props
  const { spendable, held } = limits
  const add = (more: number) => props.onChange(String(Math.min(Number(typed || 0) + more, MOST_WON)))
  return (
    <div className="flex flex-wrap gap-2">
      {unit === 'won' &&
        CHIPS.map((amount) => (
          <Chip key={amount} onClick={() => add(amount)}>
            {texts.plus[amount]}
          </Chip>
        ))}
      {unit === 'won' && side === 'buy' && spendable !== undefined && spendable > 0 && (
        <Chip onClick={() => props.onChange(String(spendable))}>{texts.all}</Chip>
      )}
      {unit === 'grams' && side === 'sell' && held !== undefined && unitsOf(held) > 0n && (
        <Chip onClick={() => props.onChange(held)}>{texts.allGrams}</Chip>
      )}
      {typed !== '' && <Chip onClick={() => props.onChange('')}>{texts.clear}</Chip>}
    </div>
  )
}
