import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ask, refusalOf } from '../../kit/api.ts'
import { Button, Chip } from '../../kit/button.tsx'
import { amountOf, date, seoulDay, signedAmount, time } from '../../kit/format.ts'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import { ASSETS, MOVEMENT_TEXTS, type Movement } from '../../kit/movements.ts'
import { Card, Loading, Trouble } from '../../kit/parts.tsx'
import { Heading, Screen } from '../../kit/screen.tsx'
import { SignedIn } from '../../kit/session.tsx'

const TEXTS = {
  ko: {
    title: '내역',
    filter: '자산 고르기',
    all: '전체',
    none: '아직 내역이 없어요. 상품권을 등록하면 여기에 보여요.',
    more: '더 보기',
    statement: '내역서',
  },
  en: {
    title: 'History',
    filter: 'Choose an asset',
    all: 'All',
    none: 'Nothing has moved yet. Register a card and it shows here.',
    more: 'Show more',
    statement: 'Statement',
  },
}

type Asset = (typeof ASSETS)[number]

export default function HistoryPage() {
  const texts = useTexts(TEXTS)
  const names = useTexts(MOVEMENT_TEXTS)
  const [asset, setAsset] = useState<Asset>()
  return (
    <Screen title={texts.title} tabs>
      <div className="flex items-center justify-between">
        <Heading>{texts.title}</Heading>
        <Link to="/statement" className="flex min-h-12 items-center px-2 font-medium text-link">
          {texts.statement}
        </Link>
      </div>
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">{texts.filter}</legend>
        <Chip pressed={asset === undefined} onClick={() => setAsset(undefined)}>
          {texts.all}
        </Chip>
        {ASSETS.map((one) => (
          <Chip key={one} pressed={asset === one} onClick={() => setAsset(one)}>
            {names[one]}
          </Chip>
        ))}
      </fieldset>
      <SignedIn>{() => <Movements asset={asset} />}</SignedIn>
    </Screen>
  )
}

function Movements({ asset }: { asset: Asset | undefined }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const history = useInfiniteQuery({
    queryKey: ['history', asset ?? 'all'],
    queryFn: ({ pageParam }) =>
      ask('GET /history', {
        query: { ...(asset ? { asset } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
  })
  if (history.isPending) return <Loading lines={6} />
  if (!history.data) return <Trouble refusal={refusalOf(history.error)} onRetry={() => history.refetch()} />
  const movements = history.data.pages.flatMap((page) => page.movements)
  if (movements.length === 0) {
    return (
      <Card>
        <p className="py-8 text-center text-sub">{texts.none}</p>
      </Card>
    )
  }
  const days = Object.entries(Object.groupBy(movements, ({ at }) => seoulDay(at)))
  return (
    <>
      {days.map(([day, ofDay]) => (
        <Card key={day}>
          <h2 className="mb-1 text-sm font-medium text-sub">{date(day, language)}</h2>
          <ul className="divide-y divide-line">
            {ofDay?.map((movement) => (
              <Line key={movement.id} movement={movement} />
            ))}
          </ul>
        </Card>
      ))}
      {history.isFetchNextPageError && (
        <Trouble refusal={refusalOf(history.error)} onRetry={() => history.fetchNextPage()} />
      )}
      {history.hasNextPage && (
        <Button look="plain" busy={history.isFetchingNextPage} onClick={() => history.fetchNextPage()}>
          {texts.more}
        </Button>
      )}
    </>
  )
}

function Line({ movement }: { movement: Movement }) {
  const won = useWon()
  const { language } = useLanguage()
  const names = useTexts(MOVEMENT_TEXTS)
  const { asset, kind, partner, pricePerGram } = movement
  const more = [time(movement.at), partner, pricePerGram && names.perGram(won(pricePerGram))].filter(Boolean)
  const plus = !movement.change.startsWith('-')
  return (
    <li className="flex flex-wrap justify-between gap-x-3 py-3">
      <span className="flex min-w-0 flex-col">
        <span className="font-medium">
          {names[kind]} · {names[asset]}
        </span>
        <span className="text-sm text-sub">{more.join(' · ')}</span>
      </span>
      <span className="ms-auto flex flex-col items-end text-end">
        <span className={`font-semibold ${plus ? 'text-ink' : 'text-body'}`}>
          {signedAmount(asset, movement.change, language)}
        </span>
        <span className="text-sm text-sub">
          {names.balance} {amountOf(asset, movement.balance, language)}
        </span>
      </span>
    </li>
  )
}
