import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { OrderPage } from '../../../contract/console.gen.ts'
import { grams } from '../../kit/format.ts'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { ObjectTimeline } from '../shared/object/object-timeline.tsx'
import { TransferTable } from '../shared/object/transfer-table.tsx'
import { useWords } from '../shared/object/value-words.ts'
import { Page, Section, Sections } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { RawJson } from '../shared/raw-json.tsx'
import { CopyId, Facts, Moment, Nothing, Points, Won } from '../shared/values.tsx'

const TEXTS = {
  ko: {
    title: '주문',
    summary: '요약',
    lines: '한 줄씩',
    sumBuy: '금속값 + 올림 + 수수료 = 합계',
    sumSell: '금속값 + 올림 − 수수료 = 합계',
    id: '주문 ID',
    quote: '견적 ID',
    at: '체결',
    holder: '소유자',
    side: '구분',
    weight: '무게',
    reference: '시세 (1g)',
    price: '체결가 (1g)',
    priceAt: '시세 시각',
    source: '시세 출처',
    spread: '스프레드',
    feeRate: '수수료율',
    value: '금속값',
    rounding: '올림',
    spreadWon: '그중 스프레드',
    fee: '수수료',
    total: '합계',
    fromPoints: '포인트에서',
    fromDeposit: '예치금에서',
    cost: '취득가(이동평균)',
    gain: '판매 손익',
    money: '자금',
  },
  en: {
    title: 'Order',
    summary: 'Summary',
    lines: 'Line by line',
    sumBuy: 'value + rounding + fee = total',
    sumSell: 'value + rounding − fee = total',
    id: 'Order id',
    quote: 'Quote id',
    at: 'Placed',
    holder: 'Holder',
    side: 'Side',
    weight: 'Weight',
    reference: 'Feed price a gram',
    price: 'Price a gram',
    priceAt: 'Time of the feed',
    source: 'Source of the feed',
    spread: 'Spread',
    feeRate: 'Fee rate',
    value: 'Value of the metal',
    rounding: 'Rounding',
    spreadWon: 'Spread in it',
    fee: 'Fee',
    total: 'Total',
    fromPoints: 'From points',
    fromDeposit: 'From deposit',
    cost: 'Cost (moving average)',
    gain: 'Gain of the sale',
    money: 'Money',
  },
}

const percent = (bps: number) => `${(bps / 100).toFixed(2)}%`

export default function OrderPageView() {
  const { orderId } = useParams({ from: '/orders/$orderId' })
  const { data, error, refetch } = useQuery({
    queryKey: ['order', orderId],
    queryFn: () => callApi('GET /orders/:orderId', { params: { orderId } }),
  })
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={6} />
  return <Order order={data} />
}

function Order({ order }: { order: OrderPage }) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  return (
    <Page
      title={texts.title}
      sub={
        <>
          {words(order.metal)} {grams(order.grams)} {words(order.side)} · <Won amount={order.total} />
        </>
      }
    >
      <Sections>
        <Section title={texts.summary}>
          <Facts
            facts={[
              { name: texts.id, value: <CopyId id={order.id} label={texts.id} /> },
              { name: texts.quote, value: <CopyId id={order.quoteId} label={texts.quote} /> },
              { name: texts.at, value: <Moment at={order.at} /> },
              { name: texts.holder, value: <ObjectLink {...order.holder} /> },
              { name: texts.side, value: `${words(order.metal)} ${words(order.side)}` },
              { name: texts.weight, value: grams(order.grams) },
              { name: texts.priceAt, value: <Moment at={order.priceAt} /> },
              { name: texts.source, value: order.priceSource ?? <Nothing /> },
            ]}
          />
        </Section>
        <Lines order={order} />
      </Sections>
      <Section title={texts.money}>
        <TransferTable transfers={order.transfers} />
      </Section>
      {/* An order has few events. They all come with the page, so there are no further ones to load. */}
      <ObjectTimeline timeline={order.timeline} load={async () => ({ events: [], next: null })} />
      <RawJson value={order} />
    </Page>
  )
}

function Lines({ order }: { order: OrderPage }) {
  const texts = useTexts(TEXTS)
  // A fee adds to what a purchase costs, and is taken off what a sale brings.
  return (
    <Section title={texts.lines} aside={order.side === 'buy' ? texts.sumBuy : texts.sumSell}>
      <Facts
        facts={[
          { name: texts.reference, value: <Won amount={order.reference} /> },
          { name: texts.price, value: <Won amount={order.price} /> },
          { name: texts.spread, value: percent(order.spreadBps) },
          { name: texts.feeRate, value: percent(order.feeBps) },
          { name: texts.value, value: <Won amount={order.value} /> },
          { name: texts.rounding, value: <Won amount={order.rounding} /> },
          // The spread is in the value already, so it is told beside the sum and is no part of it.
          { name: texts.spreadWon, value: <Won amount={order.spread} /> },
          { name: texts.fee, value: <Won amount={order.fee} /> },
          { name: texts.total, value: <Won amount={order.total} /> },
          { name: texts.fromPoints, value: <Points amount={order.fromPoints} /> },
          { name: texts.fromDeposit, value: <Won amount={order.fromDeposit} /> },
          { name: texts.cost, value: <Won amount={order.cost} /> },
          { name: texts.gain, value: <Won amount={order.gain} /> },
        ]}
      />
    </Section>
  )
}
