import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Metal, Order } from '../../../contract/member.gen.ts'
import { BigNumber } from '../../kit/big-number.tsx'
import { Card } from '../../kit/card.tsx'
import { don, grams } from '../../kit/format.ts'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { PriceChange } from '../../kit/price-change.tsx'
import { Rows } from '../../kit/rows.tsx'
import { refusalOf } from '../shared/api/refusal.ts'
import { LoadError } from '../shared/api/refusal-message.tsx'
import { MetalDot, TradingNote, useAssets, usePrices } from '../shared/assets-and-prices.tsx'
import { MemberLayout } from '../shared/member-layout.tsx'
import { useSession } from '../shared/session/session.ts'
import { AmountPage } from './amount-page.tsx'
import { BuySellLinks } from './buy-sell-links.tsx'
import { OrderPlaced } from './order-placed.tsx'
import { PriceHistoryChart } from './price-history.tsx'
import { TEXTS } from './texts.ts'

// Everyone sees the price; a member also buys and sells. The side is in the address, so that Back from the amount leads
// here.
export default function TradePage() {
  const { metal: named } = useParams({ from: '/trade/$metal' })
  // The service sends this page for gold and silver only.
  const metal: Metal = named === 'silver' ? 'silver' : 'gold'
  const { side } = useSearch({ from: '/trade/$metal' })
  const navigate = useNavigate({ from: '/trade/$metal' })
  // Not in the address: a reload must not show an old order as if it had just been placed.
  const [placed, setPlaced] = useState<Order>()
  if (placed) {
    return (
      <OrderPlaced
        order={placed}
        onMore={() => {
          setPlaced(undefined)
          void navigate({ to: '.', search: {}, replace: true })
        }}
      />
    )
  }
  // The key empties the form: an amount typed to buy must not stay to sell.
  if (side) return <AmountPage key={`${metal} ${side}`} {...{ metal, side }} onPlaced={setPlaced} />
  return <MetalScreen metal={metal} />
}

function MetalScreen({ metal }: { metal: Metal }) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const prices = usePrices()
  const session = useSession()
  // Unknown counts as a guest until the session has loaded.
  const signedIn = session.data?.signedIn === true
  return (
    <MemberLayout
      title={texts[metal]}
      back
      wide
      actions={<BuySellLinks metal={metal} open={prices.data?.trading === 'open'} />}
    >
      <TradingNote trading={prices.data?.trading} />
      {prices.isPending && <Loading lines={2} />}
      {prices.isError && <LoadError refusal={refusalOf(prices.error)} onRetry={() => prices.refetch()} />}
      <div className="grid gap-3 md:grid-cols-[3fr_2fr] md:items-start">
        <Card className="min-w-0">
          <h1 className="flex items-center gap-2 font-semibold text-body">
            <MetalDot metal={metal} />
            {texts[metal]} <span className="text-sm font-normal text-sub">{texts.perGram}</span>
          </h1>
          {prices.data && (
            <>
              <BigNumber className="mt-1">{won(prices.data[metal].reference)}</BigNumber>
              <p className="mt-1 text-[0.9375rem]">
                <PriceChange {...prices.data[metal].change} />{' '}
                <span className="text-sub">{texts.against}</span>
              </p>
            </>
          )}
          <PriceHistoryChart metal={metal} />
        </Card>
        <div className="flex min-w-0 flex-col gap-3">
          {signedIn && <Holding metal={metal} />}
          <TradingTerms metal={metal} />
        </div>
      </div>
    </MemberLayout>
  )
}

function Holding({ metal }: { metal: Metal }) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const assets = useAssets()
  const held = assets.data?.[metal]
  if (!held) return null
  return (
    <Card>
      <h2 className="sr-only">{texts.held}</h2>
      <Rows
        rows={[
          { name: texts.held, value: `${grams(held.grams)} · ${don(held.grams, language)}`, strong: true },
          { name: texts.worth, value: won(held.value) },
        ]}
      />
      <p className="text-end text-sm">
        <PriceChange {...held.gain} />
      </p>
    </Card>
  )
}

// The whole cost of trading stands here before an order: both prices, spread and fee.
function TradingTerms({ metal }: { metal: Metal }) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const { data } = usePrices()
  if (!data) return null
  const box = 'flex min-w-0 flex-1 basis-[8.5rem] flex-col rounded-2xl bg-ground px-4 py-3'
  return (
    <Card className="flex flex-col gap-3">
      <dl className="flex flex-wrap gap-2">
        <div className={box}>
          <dt className="text-sm text-sub">{texts.askPrice}</dt>
          <dd className="font-semibold">{won(data[metal].ask)}</dd>
        </div>
        <div className={box}>
          <dt className="text-sm text-sub">{texts.bidPrice}</dt>
          <dd className="font-semibold">{won(data[metal].bid)}</dd>
        </div>
      </dl>
      <p className="text-sm text-sub">
        {texts.spread(data.spreadPercent[metal])}{' '}
        {Number(data.feePercent) > 0 ? texts.fee(data.feePercent) : texts.feeNone}
      </p>
    </Card>
  )
}
