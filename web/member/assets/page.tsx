import { Link } from '@tanstack/react-router'
import type { Assets, Metal, Session } from '../../../contract/member.gen.ts'
import { BigNumber } from '../../kit/big-number.tsx'
import { buttonClass } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { don, grams, moment, points } from '../../kit/format.ts'
import { NextIcon } from '../../kit/icons.tsx'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { PriceChange } from '../../kit/price-change.tsx'
import { refusalOf } from '../shared/api/refusal.ts'
import { LoadError } from '../shared/api/refusal-message.tsx'
import { MetalDot, TradingNote, useAssets, usePrices } from '../shared/assets-and-prices.tsx'
import { IN_WEB_VIEW } from '../shared/environment.ts'
import { MemberLayout } from '../shared/member-layout.tsx'
import { SignedIn } from '../shared/session/signed-in.tsx'
import { PendingCard, usePendingWon } from '../shared/withdrawals.tsx'
import { TEXTS } from './texts.ts'

export default function AssetsPage() {
  const texts = useTexts(TEXTS)
  return (
    <MemberLayout title={texts.title} tabs wide>
      <SignedIn heading={texts.title}>{(session) => <Home session={session} />}</SignedIn>
    </MemberLayout>
  )
}

// Assets and prices load apart, and each part shows its own state. What was loaded stays, with its time, if asking again fails.
// Until the assets are there, a hidden heading names the page to a screen reader.
function Home({ session }: { session: Session }) {
  const texts = useTexts(TEXTS)
  const assets = useAssets()
  const prices = usePrices()
  // Both fail together when the network does.
  const failure = assets.error ?? prices.error
  const retry = () => void Promise.all([assets.refetch(), prices.refetch()])
  const problem = failure && <LoadError refusal={refusalOf(failure)} onRetry={retry} />
  if (assets.isLoadingError) {
    return (
      <>
        <h1 className="sr-only">{texts.title}</h1>
        {problem}
      </>
    )
  }
  return (
    <>
      {!assets.data && <h1 className="sr-only">{texts.title}</h1>}
      {problem}
      <TradingNote trading={prices.data?.trading} />
      {session.undecidedLinks > 0 && <UndecidedNote />}
      <div className="grid gap-3 md:grid-cols-2 md:items-start">
        <div className="flex min-w-0 flex-col gap-3">
          {assets.isPending && <Loading lines={4} />}
          {assets.data && <Total assets={assets.data} name={session.name ?? ''} />}
          {assets.data && <Cash assets={assets.data} />}
          <PendingCard />
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          {assets.data && <Holdings assets={assets.data} />}
          <PriceCard />
          <Link
            to="/statement"
            className="flex min-h-14 items-center justify-between rounded-[1.25rem] bg-surface px-5 no-underline"
          >
            {texts.statement}
            <NextIcon className="size-5 text-sub" />
          </Link>
        </div>
      </div>
    </>
  )
}

function Total({ assets, name }: { assets: Assets; name: string }) {
  const won = useWon()
  // Withdrawals under way have left the total: the card says so, or the sum would look wrong.
  const pending = usePendingWon()
  // Without money to spend, registering a card is the next step.
  const buys = assets.points + assets.deposit > 0
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  return (
    <Card>
      <h1 className="font-semibold text-body">{texts.holder(name)}</h1>
      <BigNumber className="mt-1">{won(assets.totalValue)}</BigNumber>
      <p className="mt-1">
        <PriceChange {...assets.gain} label={texts.gain} />
      </p>
      <p className="mt-2 text-sm text-sub">{texts.asOf(moment(assets.asOf, language))}</p>
      {pending > 0 && <p className="text-sm text-sub">{texts.withoutPending(won(pending))}</p>}
      <div className="mt-4 flex flex-wrap gap-2 *:flex-1 *:basis-[8rem]">
        {buys && (
          <Link
            to="/trade/$metal"
            params={{ metal: 'gold' }}
            search={{ side: 'buy' }}
            className={buttonClass('main')}
          >
            {texts.buyGold}
          </Link>
        )}
        <Link to={IN_WEB_VIEW ? '/register' : '/'} className={buttonClass(buys ? 'quiet' : 'main')}>
          {texts.register}
        </Link>
      </div>
      {!buys && <p className="mt-2 text-sm text-sub">{texts.registerFirst}</p>}
    </Card>
  )
}

// Points and deposit stand apart because only the deposit can be withdrawn. A web view has no withdrawals: it names the
// website instead.
function Cash({ assets }: { assets: Assets }) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const line = 'flex flex-wrap items-baseline justify-between gap-x-3 py-2'
  return (
    <Card>
      <h2 className="mb-1 text-[1.0625rem] font-semibold">{texts.cash}</h2>
      <dl>
        <div className={line}>
          <dt>
            {texts.points} <span className="block text-sm text-sub">{texts.pointsHint}</span>
          </dt>
          <dd className="ms-auto font-semibold">{points(assets.points)}</dd>
        </div>
        <div className={line}>
          <dt>
            {texts.deposit} <span className="block text-sm text-sub">{texts.depositHint}</span>
          </dt>
          <dd className="ms-auto font-semibold">{won(assets.deposit)}</dd>
        </div>
      </dl>
      {IN_WEB_VIEW ? (
        <p className="mt-1 text-sm text-sub">{texts.withdrawElsewhere}</p>
      ) : (
        <Link to="/withdraw" className={buttonClass('quiet', 'mt-3')}>
          {texts.withdraw}
        </Link>
      )}
    </Card>
  )
}

function Holdings({ assets }: { assets: Assets }) {
  const texts = useTexts(TEXTS)
  return (
    <Card className="p-2! sm:p-3!">
      <h2 className="px-3 pt-3 text-[1.0625rem] font-semibold sm:px-3">{texts.metals}</h2>
      {(['gold', 'silver'] as const).map((metal) => (
        <Holding key={metal} metal={metal} held={assets[metal]} />
      ))}
    </Card>
  )
}

// The whole row leads to trading, so that a thumb finds it.
function Holding({ metal, held }: { metal: Metal; held: Assets[Metal] }) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  return (
    <Link
      to="/trade/$metal"
      params={{ metal }}
      className="flex flex-wrap justify-between gap-x-3 rounded-2xl px-3 py-3 text-ink no-underline hover:bg-ground"
    >
      <span className="flex flex-col">
        <span
          className={`flex items-center gap-2 font-semibold ${metal === 'gold' ? 'text-gold' : 'text-silver'}`}
        >
          <MetalDot metal={metal} />
          {texts[metal]}
        </span>
        <span className="text-sm text-sub">
          {grams(held.grams)} · {don(held.grams, language)}
        </span>
      </span>
      <span className="ms-auto flex flex-col items-end text-end">
        <span className="font-semibold">{won(held.value)}</span>
        <span className="text-sm">
          <PriceChange {...held.gain} />
        </span>
      </span>
    </Link>
  )
}

// The reference price, without spread: what a member pays is on the trade page. What fails is said above.
function PriceCard() {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const prices = usePrices()
  if (prices.isPending) return <Loading lines={2} />
  if (!prices.data) return null
  return (
    <Card>
      <h2 className="mb-1 text-[1.0625rem] font-semibold">{texts.prices}</h2>
      <dl>
        {(['gold', 'silver'] as const).map((metal) => (
          <div key={metal} className="flex flex-wrap items-baseline justify-between gap-x-3 py-2">
            <dt className="flex items-center gap-2">
              <MetalDot metal={metal} />
              {texts[metal]} <span className="text-sm text-sub">1 g</span>
            </dt>
            <dd className="ms-auto text-end">
              <span className="font-semibold">{won(prices.data[metal].reference)}</span>{' '}
              <span className="text-sm">
                <PriceChange {...prices.data[metal].change} />
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

// A partner has told Ingot about this person, who has not answered yet.
function UndecidedNote() {
  const texts = useTexts(TEXTS)
  return (
    <Link to="/settings" className="rounded-2xl bg-tint px-4 py-3.5 text-body no-underline">
      <strong className="block">{texts.undecided}</strong>
      <span className="text-sm">{texts.undecidedBody}</span>
    </Link>
  )
}
