import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Metal, Order, Quote, Side } from '../../../contract/member.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Segments } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Heading, PageActions } from '../../kit/layout.tsx'
import { Loading } from '../../kit/load-states.tsx'
import type { AmountUnit } from '../shared/amount/amount.ts'
import { AmountInput, useAmount } from '../shared/amount/amount-input.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { LoadError, RefusalMessage } from '../shared/api/refusal-message.tsx'
import { TradingNote, useAssets, usePrices } from '../shared/assets-and-prices.tsx'
import { MemberLayout } from '../shared/member-layout.tsx'
import { SignedIn } from '../shared/session/signed-in.tsx'
import { availableFor, isTooMuch } from './available-balance.ts'
import { EmptyBalance } from './empty-balance.tsx'
import { EstimateLine, PriceLine } from './estimate-line.tsx'
import { QuickAmounts } from './quick-amounts.tsx'
import { QuoteSheet } from './quote-sheet.tsx'
import { TEXTS } from './texts.ts'

interface Props {
  metal: Metal
  side: Side
  onPlaced(order: Order): void
}

export function AmountPage(props: Props) {
  const texts = useTexts(TEXTS)
  const title = props.side === 'buy' ? texts.buy(texts[props.metal]) : texts.sell(texts[props.metal])
  return (
    <MemberLayout title={title} back>
      <SignedIn heading={title}>{() => <WithAssets {...props} title={title} />}</SignedIn>
    </MemberLayout>
  )
}

// The form needs to know what the member has: without money or metal there is nothing to enter.
function WithAssets({ title, ...props }: Props & { title: string }) {
  const assets = useAssets()
  if (assets.data) {
    return <AmountForm {...props} have={availableFor(assets.data, props)} />
  }
  return (
    <>
      <h1 className="sr-only">{title}</h1>
      {assets.isError ? (
        <LoadError refusal={refusalOf(assets.error)} onRetry={() => assets.refetch()} />
      ) : (
        <Loading />
      )}
    </>
  )
}

function AmountForm({ metal, side, have, onPlaced }: Props & { have: ReturnType<typeof availableFor> }) {
  const texts = useTexts(TEXTS)
  const prices = usePrices()
  const [unit, setUnit] = useState<AmountUnit>('won')
  const field = useAmount(unit)
  const { amount } = field
  const { quote, setQuote, unanswered, setUnanswered, offer } = useQuote(metal, side)
  // While prices load the button works: the quote is refused if trading is stopped.
  const shut = prices.data !== undefined && prices.data.trading !== 'open'
  const refusal = offer.isError ? refusalOf(offer.error) : undefined
  const tooMuch = isTooMuch(have, side, unit, amount)
  // After an edit the last quote no longer fits, nor does its refusal.
  function change(next: string, as = unit) {
    setUnit(as)
    field.set(next)
    setUnanswered(undefined)
    offer.reset()
  }
  // A new quote for every press: a price from minutes ago is never agreed to.
  function send() {
    if (amount === undefined || tooMuch || offer.isPending) return
    offer.mutate(unit === 'won' ? { won: Number(amount) } : { grams: amount })
  }
  // An order can use up the balance while its sheet is still open: that must stay.
  if (have.most === 0n && !quote) return <EmptyBalance {...{ metal, side }} />
  return (
    <Form
      fill
      onSubmit={() => {
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
      <QuickAmounts {...{ metal, side, unit, amount, have }} typed={field.typed} onChange={change} />
      {/* An open sheet shows the refusal itself. */}
      <RefusalMessage refusal={quote ? undefined : refusal} />
      <PageActions>
        <Button type="submit" look={side} disabled={shut} busy={offer.isPending}>
          {texts.next}
        </Button>
      </PageActions>
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
    </Form>
  )
}

// A quote for an amount. If an order's answer was lost, submitting the form opens that quote again: a new one could buy
// twice.
function useQuote(metal: Metal, side: Side) {
  const [quote, setQuote] = useState<Quote>()
  const [unanswered, setUnanswered] = useState<Quote>()
  const offer = useMutation({
    mutationFn: (size: { won: number } | { grams: string }) =>
      callApi('POST /quotes', { body: { side, metal, ...size } }),
    onSuccess: setQuote,
  })
  return { quote, setQuote, unanswered, setUnanswered, offer }
}

// The caller empties the field: the same digits mean something else in the other unit.
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
