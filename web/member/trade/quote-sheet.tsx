import { useMutation } from '@tanstack/react-query'
import type { Order, Quote } from '../../../contract/member.gen.ts'
import { ask, type Refusal, refusalOf } from '../../kit/api.ts'
import { Button } from '../../kit/button.tsx'
import { Countdown, useSecondsLeft } from '../../kit/countdown.tsx'
import { Figure } from '../../kit/figure.tsx'
import { don, grams, points, unitsOf } from '../../kit/format.ts'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import { Note, Problem, type Row, Rows } from '../../kit/parts.tsx'
import { queries } from '../../kit/session.tsx'
import { Sheet } from '../../kit/sheet.tsx'
import { useAct } from '../../kit/step-up.tsx'
import { TEXTS } from './texts.ts'

interface Props {
  quote: Quote
  renewing: boolean
  renewFailed: Refusal | undefined
  onRenew(): void
  onClose(): void
  onPlaced(order: Order): void
}

// Everything the price is made of, for as long as it holds. One press takes it; a lost answer is asked for again with
// the same quote, which the service takes once.
export function QuoteSheet({ quote, renewing, renewFailed, onRenew, onClose, onPlaced }: Props) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const act = useAct()
  const left = useSecondsLeft(quote.expiresInSeconds, quote.quoteId)
  const order = useMutation({
    mutationKey: ['order', quote.quoteId],
    mutationFn: () => act(() => ask('POST /orders', { body: { quoteId: quote.quoteId } })),
    onSuccess: (placed) => {
      onPlaced(placed)
      void queries.invalidateQueries()
    },
  })
  const refusal = order.isError ? refusalOf(order.error) : undefined
  const unsure = refusal?.code === 'offline' || refusal?.code === 'service_unavailable'
  const over = (left === 0 && !order.isPending && !unsure) || refusal?.code === 'quote_expired'
  const name = texts[quote.metal]
  const size = grams(quote.grams)
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
          <Button
            busy={renewing}
            onClick={() => {
              order.reset()
              onRenew()
            }}
          >
            {texts.renew}
          </Button>
        ) : (
          <Button look={quote.side} busy={order.isPending} onClick={() => order.mutate()}>
            {unsure ? texts.sendAgain : quote.side === 'buy' ? texts.buy(name) : texts.sell(name)}
          </Button>
        )
      }
    >
      <p className="text-sm text-sub">{quote.side === 'buy' ? texts.pays : texts.receives}</p>
      <Figure>{won(quote.total)}</Figure>
      <p className="mb-3 text-sub">
        {size} · {don(quote.grams, language)}
      </p>
      <Countdown left={over ? 0 : left} of={quote.expiresInSeconds} />
      <div className="mt-3 flex flex-col gap-2 empty:hidden">
        {quote.lacking > 0 && <Note look="bad">{texts.lacking(won(quote.lacking))}</Note>}
        {unitsOf(quote.lackingGrams) > 0n && (
          <Note look="bad">{texts.lackingGrams(grams(quote.lackingGrams))}</Note>
        )}
      </div>
      <Breakdown quote={quote} />
      <div className="flex flex-col gap-2">
        {unsure ? <Note>{texts.unsure}</Note> : <Problem refusal={refusal ?? renewFailed} />}
        <p className="text-sm text-sub">{texts.irreversible}</p>
      </div>
    </Sheet>
  )
}

function Breakdown({ quote }: { quote: Quote }) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const buys = quote.side === 'buy'
  const rows: (Row | false)[] = [
    { name: texts.reference, value: won(quote.reference) },
    { name: texts.applied, value: won(quote.price) },
    { name: texts.metalWon(texts[quote.metal]), value: won(quote.metalWon) },
    { name: buys ? texts.spreadWithin : texts.spreadTaken, value: won(quote.spreadWon) },
    { name: texts.feeName(quote.feePercent), value: won(quote.fee) },
    quote.rounding > 0 && { name: buys ? texts.unspent : texts.beyond, value: won(quote.rounding) },
    buys && quote.fromPoints > 0 && { name: texts.fromPoints, value: points(quote.fromPoints), strong: true },
    buys && quote.fromDeposit > 0 && { name: texts.fromDeposit, value: won(quote.fromDeposit), strong: true },
    !buys && { name: texts.toDeposit, value: won(quote.total), strong: true },
  ]
  return (
    <div className="my-3 border-y border-line py-1">
      <Rows rows={rows.filter((row) => row !== false)} />
    </div>
  )
}
