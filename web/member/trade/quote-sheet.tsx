import type { Quote } from '../../../contract/member.gen.ts'
import { BigNumber } from '../../kit/big-number.tsx'
import { Button } from '../../kit/button.tsx'
import { Countdown, useSecondsLeft } from '../../kit/countdown.tsx'
import { Disclosure } from '../../kit/disclosure.tsx'
import { don, grams, points, unitsOf } from '../../kit/format.ts'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import { LiveRegion, Note } from '../../kit/note.tsx'
import { type Row, Rows } from '../../kit/rows.tsx'
import { Sheet } from '../../kit/sheet.tsx'
import type { Refusal } from '../shared/api/refusal.ts'
import { RefusalMessage } from '../shared/api/refusal-message.tsx'
import { type Offer, type Placing, unansweredQuote } from './placing-orders.ts'
import { TEXTS } from './texts.ts'

interface Props {
  offer: Offer
  placing: Placing
  renewing: boolean
  renewFailed: Refusal | undefined
  onRenew(): void
  onClose(): void
}

// The total first, its parts one tap away. A quote buys once: after a lost answer the same quote is sent again.
export function QuoteSheet(props: Props) {
  const { offer, placing, renewing, onRenew, onClose } = props
  const { quote } = offer
  const { refusal, isUnderWay } = placing
  const texts = useTexts(TEXTS)
  // Counted down from what the service said was left: the clock of a phone may be minutes off.
  const left = useSecondsLeft(quote.expiresInSeconds, quote.quoteId)
  // An order for this quote was sent, and its answer got lost.
  const unsure = isUnderWay ? placing.isRepeated : unansweredQuote(offer.wish) !== undefined
  // While an order's outcome is unknown the quote does not expire here: sending it again is the only way to learn it.
  const over = (left === 0 && !isUnderWay && !unsure) || refusal?.code === 'quote_expired'
  const name = texts[quote.metal]
  const size = grams(quote.grams)
  // The balance may have changed since the form was filled in.
  const lacks = quote.lacking > 0 || unitsOf(quote.lackingGrams) > 0n
  return (
    <Sheet
      open
      onClose={onClose}
      title={quote.side === 'buy' ? texts.confirmBuy(name, size) : texts.confirmSell(name, size)}
      actions={
        lacks ? (
          <Button onClick={onClose}>{texts.less}</Button>
        ) : over ? (
          <Button busy={renewing} onClick={onRenew}>
            {texts.renew}
          </Button>
        ) : (
          <Button look={quote.side} busy={isUnderWay} onClick={() => placing.send(offer)}>
            {unsure ? texts.sendAgain : quote.side === 'buy' ? texts.buy(name) : texts.sell(name)}
          </Button>
        )
      }
    >
      <Figures quote={quote} />
      {!unsure && <Countdown left={over ? 0 : left} of={quote.expiresInSeconds} texts={texts.holds} />}
      <div className="mt-3 flex flex-col gap-2">
        <Lacking quote={quote} />
        <Disclosure summary={texts.details}>
          <Breakdown quote={quote} />
        </Disclosure>
        <LiveRegion role="status">{unsure && !refusal && <Note>{texts.unsure}</Note>}</LiveRegion>
        <RefusalMessage refusal={refusal ?? props.renewFailed} outcomeUnknown={texts.unsure} />
        <p className="text-sm text-sub">{texts.irreversible}</p>
      </div>
    </Sheet>
  )
}

// The total, the weight and the fee.
function Figures({ quote }: { quote: Quote }) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  return (
    <>
      <p className="text-sm text-sub">{quote.side === 'buy' ? texts.pays : texts.receives}</p>
      <BigNumber>{won(quote.total)}</BigNumber>
      <div className="my-2 border-b border-line pb-1">
        <Rows
          rows={[
            {
              name: texts.weight,
              value: `${grams(quote.grams)} · ${don(quote.grams, language)}`,
              strong: true,
            },
            { name: texts.feeName(quote.feePercent), value: won(quote.fee) },
          ]}
        />
      </div>
    </>
  )
}

// Announced at once: the order cannot be placed, and the button says what to do.
function Lacking({ quote }: { quote: Quote }) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  return (
    <LiveRegion role="alert">
      {quote.lacking > 0 && <Note look="bad">{texts.lacking(won(quote.lacking))}</Note>}
      {unitsOf(quote.lackingGrams) > 0n && (
        <Note look="bad">{texts.lackingGrams(grams(quote.lackingGrams))}</Note>
      )}
    </LiveRegion>
  )
}

// Every part of the price. A sale has no points: its won go to the deposit.
function Breakdown({ quote }: { quote: Quote }) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const buys = quote.side === 'buy'
  const rows: (Row | false)[] = [
    { name: texts.reference, value: won(quote.reference) },
    { name: texts.applied, value: won(quote.price) },
    { name: texts.metalWon(texts[quote.metal]), value: won(quote.metalWon) },
    { name: buys ? texts.spreadWithin : texts.spreadTaken, value: won(quote.spreadWon) },
    quote.rounding > 0 && { name: buys ? texts.unspent : texts.beyond, value: won(quote.rounding) },
    buys && quote.fromPoints > 0 && { name: texts.fromPoints, value: points(quote.fromPoints) },
    buys && quote.fromDeposit > 0 && { name: texts.fromDeposit, value: won(quote.fromDeposit) },
    !buys && { name: texts.toDeposit, value: won(quote.total) },
  ]
  return <Rows rows={rows.filter((row) => row !== false)} />
}
