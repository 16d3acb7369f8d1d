import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Act } from '../../../contract/member.gen.ts'
import { Button, Chip } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { date, seoulDay } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Heading } from '../../kit/layout.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { LoadError } from '../shared/api/refusal-message.tsx'
import { MemberLayout } from '../shared/member-layout.tsx'
import { ASSETS, MOVEMENT_TEXTS } from '../shared/movements.ts'
import { SignedIn } from '../shared/session/signed-in.tsx'
import { HistoryEntry } from './history-entry.tsx'
import { TEXTS } from './texts.ts'

type Asset = (typeof ASSETS)[number]

export default function HistoryPage() {
  const texts = useTexts(TEXTS)
  const names = useTexts(MOVEMENT_TEXTS)
  const { asset, open } = useSearch({ from: '/history' })
  const navigate = useNavigate({ from: '/history' })
  // Filter and open entry are in the address, so that a reload and a link show the same. They replace it: Back leaves the
  // page instead of undoing one filter after the other.
  const show = (search: { asset?: Asset; open?: string }) =>
    navigate({ to: '.', search, replace: true, resetScroll: false })
  const setAsset = (chosen: Asset | undefined) => show(chosen ? { asset: chosen } : {})
  return (
    <MemberLayout title={texts.title} tabs>
      <div className="flex items-center justify-between">
        <Heading>{texts.title}</Heading>
        <Link
          to="/statement"
          className="flex min-h-12 min-w-12 items-center justify-center px-2 font-medium text-link"
        >
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
      <SignedIn>
        {() => (
          <Entries
            // Another filter is another list. It starts without the entry that the last one was looking for.
            key={asset}
            asset={asset}
            open={open}
            onOpen={(id) => show({ ...(asset ? { asset } : {}), ...(id ? { open: id } : {}) })}
          />
        )}
      </SignedIn>
    </MemberLayout>
  )
}

interface EntriesProps {
  asset: Asset | undefined
  open: string | undefined
  onOpen(id: string | undefined): void
}

// A link may name an entry that is further back. Six pages of history are searched for it.
const SEEK_PAGES = 6

function Entries({ asset, open, onOpen }: EntriesProps) {
  const texts = useTexts(TEXTS)
  // The entry of the first address only: opening another one later must not scroll the page.
  const [wanted] = useState(open)
  const history = useInfiniteQuery({
    queryKey: ['history', asset ?? 'all'],
    queryFn: ({ pageParam }) =>
      callApi('GET /history/acts', {
        query: { ...(asset ? { asset } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
  })
  const { data, hasNextPage, isFetching, fetchNextPage } = history
  const acts = data?.pages.flatMap((page) => page.acts) ?? []
  // Loads further back until the wanted entry is there.
  const missing = wanted !== undefined && !acts.some(({ id }) => id === wanted)
  useEffect(() => {
    if (data && missing && hasNextPage && !isFetching && data.pages.length < SEEK_PAGES) void fetchNextPage()
  }, [data, missing, hasNextPage, isFetching, fetchNextPage])
  if (history.isPending) return <Loading lines={6} />
  // Only without any page. A later page that fails shows its error below the entries.
  if (!data) return <LoadError refusal={refusalOf(history.error)} onRetry={() => history.refetch()} />
  if (acts.length === 0) {
    return (
      <Card>
        <p className="py-8 text-center text-sub">{texts.none}</p>
      </Card>
    )
  }
  return (
    <>
      <EntriesByDay acts={acts} open={open} wanted={wanted} onOpen={onOpen} />
      {history.isFetchNextPageError && (
        <LoadError refusal={refusalOf(history.error)} onRetry={() => history.fetchNextPage()} />
      )}
      {hasNextPage && (
        <Button look="plain" busy={history.isFetchingNextPage} onClick={() => history.fetchNextPage()}>
          {texts.more}
        </Button>
      )}
    </>
  )
}

interface EntriesByDayProps extends Omit<EntriesProps, 'asset'> {
  acts: Act[]
  wanted: string | undefined
}

// Days are Seoul days, as in statements, wherever the reader is.
function EntriesByDay({ acts, open, wanted, onOpen }: EntriesByDayProps) {
  const { language } = useLanguage()
  const days = Object.entries(Object.groupBy(acts, ({ at }) => seoulDay(at)))
  return days.map(([day, ofDay]) => (
    <Card key={day}>
      <h2 className="mb-1 text-sm font-medium text-sub">{date(day, language)}</h2>
      <ul className="divide-y divide-line">
        {ofDay?.map((act) => (
          <HistoryEntry
            key={act.id}
            act={act}
            open={act.id === open}
            wanted={act.id === wanted}
            onToggle={() => onOpen(act.id === open ? undefined : act.id)}
          />
        ))}
      </ul>
    </Card>
  ))
}
