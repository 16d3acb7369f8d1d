import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Metal, Order, Side } from '../../../contract/member.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Segments } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Heading, PageActions } from '../../kit/layout.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { LiveRegion, Note } from '../../kit/note.tsx'
import type { AmountUnit } from '../shared/amount/amount.ts'
import { AmountInput, useAmount } from '../shared/amount/amount-input.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { type Refusal, refusalOf } from '../shared/api/refusal.ts'
import { LoadError, RefusalMessage } from '../shared/api/refusal-message.tsx'
import { TradingNote, useAssets, usePrices } from '../shared/assets-and-prices.tsx'
import { MemberLayout } from '../shared/member-layout.tsx'
import { SignedIn } from '../shared/session/signed-in.tsx'
import { availableFor, isTooMuch } from './available-balance.ts'
import { EmptyBalance } from './empty-balance.tsx'
import { EstimateLine, PriceLine, useTooSmall } from './estimate-line.tsx'
import { type Offer, type Placing, unansweredQuote, usePlaceOrder, type Wish } from './placing-orders.ts'
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
  const wish = amount === undefined ? undefined : { side, metal, unit, amount }
  const placing = usePlaceOrder(onPlaced)
  const { offer, setOffer, quoting, refusal, ask } = useOffer(placing)
  // While prices load the button works: the quote is refused if trading is stopped.
  const shut = prices.data !== undefined && prices.data.trading !== 'open'
  // An order that was sent may have used up the balance: asking for it again is always possible.
  const isSent = wish !== undefined && unansweredQuote(wish) !== undefined
  const tooMuch = !isSent && isTooMuch(have, side, unit, amount)
  const tooSmall = useTooSmall(isSent ? undefined : wish)
  // After an edit the last quote no longer fits, nor does its refusal.
  function change(next: string, as = unit) {
    setUnit(as)
    field.set(next)
    quoting.reset()
    placing.reset()
  }
  // An order can use up the balance while its sheet is still open: that must stay.
  if (have.most === 0n && !offer && !isSent) return <EmptyBalance {...{ metal, side }} />
  return (
    <Form
      fill
      onSubmit={() => {
        field.onSubmit()
        if (wish && !tooMuch && !tooSmall) ask(wish)
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
        error={field.error ?? (tooMuch ? texts.tooMuch : field.isShown ? tooSmall : undefined)}
      />
      <QuickAmounts {...{ metal, side, unit, amount, have }} typed={field.typed} onChange={change} />
      {/* An open sheet shows all of this itself. */}
      <Progress
        {...{ placing, isSent }}
        refusal={placing.refusal ?? refusal}
        isHidden={offer !== undefined}
      />
      <PageActions>
        <Button type="submit" look={side} disabled={shut} busy={quoting.isPending || placing.isUnderWay}>
          {texts.next}
        </Button>
      </PageActions>
      {offer && (
        <QuoteSheet
          {...{ offer, placing }}
          renewing={quoting.isPending}
          renewFailed={refusal}
          onRenew={() => ask(offer.wish)}
          onClose={() => setOffer(undefined)}
        />
      )}
    </Form>
  )
}

// A quote, with the wish that it was asked for: the field may have been edited before the answer came.
function useOffer(placing: Placing) {
  const [offer, setOffer] = useState<Offer>()
  const quoting = useMutation({
    mutationFn: ({ side, metal, unit, amount }: Wish) => {
      const size = unit === 'won' ? { won: Number(amount) } : { grams: amount }
      return callApi('POST /quotes', { body: { side, metal, ...size } })
    },
    onSuccess: (quote, wish) => setOffer({ wish, quote }),
  })
  // A new quote for every press: a price from minutes ago is never agreed to. But for an order whose answer is missing the
  // same quote once more: a new one could buy twice.
  function ask(wish: Wish) {
    if (quoting.isPending || placing.isUnderWay) return
    placing.reset()
    const quote = unansweredQuote(wish)
    if (quote) setOffer({ wish, quote })
    else quoting.mutate(wish)
  }
  const refusal = quoting.isError ? refusalOf(quoting.error) : undefined
  return { offer, setOffer, quoting, refusal, ask }
}

interface ProgressProps {
  placing: Placing
  refusal: Refusal | undefined
  // Pressing again repeats the order. After an edit it would be another one.
  isSent: boolean
  isHidden: boolean
}

// For a sheet that was closed while its order was under way; and why there is no quote.
function Progress({ placing, isSent, refusal, isHidden }: ProgressProps) {
  const texts = useTexts(TEXTS)
  return (
    <>
      <LiveRegion role="status">
        {placing.isUnderWay && !isHidden && <Note look="tint">{texts.underWay}</Note>}
      </LiveRegion>
      <RefusalMessage
        refusal={isHidden ? undefined : refusal}
        {...(isSent ? { outcomeUnknown: texts.unsure } : {})}
      />
    </>
  )
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
