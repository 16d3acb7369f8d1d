import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Order, Quote } from '../../../contract/member.gen.ts'
import type { AmountUnit } from '../../kit/amount.ts'
import { AmountInput, useAmount } from '../../kit/amount-input.tsx'
import { ask, refusalOf } from '../../kit/api.ts'
import { Button } from '../../kit/button.tsx'
import { Segments } from '../../kit/field.tsx'
import { useTexts } from '../../kit/language.tsx'
import { type Metal, TradingNote, useAssets, usePrices } from '../../kit/market.tsx'
import { Loading, Problem, Trouble } from '../../kit/parts.tsx'
import { Bottom, Heading, Screen } from '../../kit/screen.tsx'
import { SignedIn } from '../../kit/session.tsx'
import { Chips } from './chips.tsx'
import { EstimateLine, PriceLine } from './estimate-line.tsx'
import { haveOf, isTooMuch } from './have.ts'
import { NothingToTrade } from './nothing.tsx'
import { QuoteSheet } from './quote-sheet.tsx'
import { type Side, TEXTS } from './texts.ts'

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
      <SignedIn heading={title}>{() => <WithAssets {...props} title={title} />}</SignedIn>
    </Screen>
  )
}

// What can be asked for depends on what is there. Should that not be known, the quote will tell.
function WithAssets({ title, ...props }: Props & { title: string }) {
  const assets = useAssets()
  if (assets.data) {
    return <AmountForm {...props} have={haveOf(assets.data, props)} />
  }
  return (
    <>
      <h1 className="sr-only">{title}</h1>
      {assets.isError ? (
        <Trouble refusal={refusalOf(assets.error)} onRetry={() => assets.refetch()} />
      ) : (
        <Loading />
      )}
    </>
  )
}

function AmountForm({ metal, side, have, onPlaced }: Props & { have: ReturnType<typeof haveOf> }) {
  const texts = useTexts(TEXTS)
  const prices = usePrices()
  const [unit, setUnit] = useState<AmountUnit>('won')
  const field = useAmount(unit)
  const { amount } = field
  const { quote, setQuote, unanswered, setUnanswered, offer } = useQuote(metal, side)
  const shut = prices.data !== undefined && prices.data.trading !== 'open'
  const refusal = offer.isError ? refusalOf(offer.error) : undefined
  const tooMuch = isTooMuch(have, side, unit, amount)
  function change(next: string, as = unit) {
    setUnit(as)
    field.set(next)
    setUnanswered(undefined)
    offer.reset()
  }
  function send() {
    if (amount === undefined || tooMuch || offer.isPending) return
    offer.mutate(unit === 'won' ? { won: Number(amount) } : { grams: amount })
  }
  if (have.most === 0n && !quote) return <NothingToTrade {...{ metal, side }} />
  return (
    <form
      noValidate
      className="flex flex-1 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        field.onSubmit()
        if (unanswered) setQuote(unanswered)
        else send()
      }}
    >
      <TradingNote trading={prices.data?.trading} />
      <Heading sub={<PriceLine {...{ metal, side }} />}>
        {side === 'buy' ? texts.howMuchBuy(texts[metal]) : texts.howMuchSell(texts[metal])}
      </Heading>
      <UnitChoice unit={unit} onChange={(next) => change('', next)} />
      <AmountInput
        label={unit === 'won' ? texts.amountWon : texts.amountGrams}
        unit={unit}
        value={field.typed}
        onChange={change}
        onBlur={field.onBlur}
        hint={<EstimateLine {...{ metal, side, unit, amount, have }} />}
        error={field.error ?? (tooMuch ? texts.tooMuch : undefined)}
      />
      <Chips {...{ metal, side, unit, amount, have }} typed={field.typed} onChange={change} />
      <Problem refusal={quote ? undefined : refusal} />
      <Bottom>
        <Button type="submit" look={side} disabled={shut} busy={offer.isPending}>
          {texts.next}
        </Button>
      </Bottom>
      {quote && (
        <QuoteSheet
          {...{ quote, onPlaced }}
          isUnanswered={quote === unanswered}
          onLost={() => setUnanswered(quote)}
          renewing={offer.isPending}
          renewFailed={refusal}
          onRenew={send}
          onClose={() => setQuote(undefined)}
        />
      )}
    </form>
  )
}

// A price for an amount. If it was ordered and the answer was lost, asking for the same again leads back to it, so that nobody
// orders twice.
function useQuote(metal: Metal, side: Side) {
  const [quote, setQuote] = useState<Quote>()
  const [unanswered, setUnanswered] = useState<Quote>()
  const offer = useMutation({
    mutationFn: (size: { won: number } | { grams: string }) =>
      ask('POST /quotes', { body: { side, metal, ...size } }),
    onSuccess: setQuote,
  })
  return { quote, setQuote, unanswered, setUnanswered, offer }
}

function UnitChoice({ unit, onChange }: { unit: AmountUnit; onChange(unit: AmountUnit): void }) {
  const texts = useTexts(TEXTS)
  const options = [
    { value: 'won', label: texts.byWon },
    { value: 'grams', label: texts.byGrams },
  ] as const
  return (
    <Segments<AmountUnit> hideLegend legend={texts.unit} value={unit} options={options} onChange={onChange} />
  )
}
