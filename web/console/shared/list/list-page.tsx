import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import type {
  ListColumn,
  ListDefinition,
  ListName,
  ListPage as Page_,
} from '../../../../contract/console.gen.ts'
import { Button, buttonClass } from '../../../kit/button.tsx'
import { useLanguage, useTexts } from '../../../kit/language.tsx'
import { Loading } from '../../../kit/load-states.tsx'
import { Refusal } from '../api/refusal.ts'
import { LoadError } from '../api/refusal-message.tsx'
import { DataTable } from '../data-table.tsx'
import { Page } from '../page.tsx'
import { PageError } from '../page-error.tsx'
import type { Query } from './address.ts'
import { Cell } from './cell.tsx'
import { ExportButtons } from './export-buttons.tsx'
import { FigureLine } from './figure-line.tsx'
import { FilterBar } from './filter-bar.tsx'
import { useDefinition, useListState, usePage } from './list-data.ts'

const TEXTS = {
  ko: {
    first: '처음',
    previous: '이전',
    next: '다음',
    pages: '페이지 이동',
    none: '아직 아무것도 없습니다.',
    nothing: '조건에 맞는 것이 없습니다. 필터를 지우거나 기간을 넓혀 보세요.',
    clear: '필터 모두 지우기',
    lookedTo: (day: string) => `${day}까지 살펴보았습니다. 더 있을 수 있습니다.`,
    goOn: '계속 찾기',
    keys: '위아래 화살표나 j, k로 줄을 옮기고 Enter로 엽니다.',
    newest: '최신순',
    oldest: '오래된순',
  },
  en: {
    first: 'First',
    previous: 'Previous',
    next: 'Next',
    pages: 'Pages',
    none: 'There is nothing here yet.',
    nothing: 'Nothing matches. Remove a filter, or widen the days.',
    clear: 'Remove all filters',
    lookedTo: (day: string) => `Looked as far as ${day}. There may be more.`,
    goOn: 'Go on looking',
    keys: 'Arrow keys or j and k move between rows, Enter opens one.',
    newest: 'newest first',
    oldest: 'oldest first',
  },
}

// Any list of the console: filters, figure, rows and export from one address.
export function ListPage({ list, above }: { list: ListName; above?: ReactNode }) {
  const { language } = useLanguage()
  const { all, definition, error, refetch } = useDefinition(list)
  const { query, filters, go } = useListState()
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!all) return <Loading />
  // Only the lists that the role may read are told of.
  if (!definition) return <PageError error={new Refusal('forbidden')} onRetry={refetch} />
  return (
    <Page
      title={definition.names[language]}
      sub={<FigureLine definition={definition} filters={filters} />}
      actions={definition.mayExport && <ExportButtons list={list} query={query} filters={filters} />}
    >
      {above}
      <FilterBar definition={definition} partners={all.partners} filters={filters} onChange={go} />
      <Rows definition={definition} query={query} filters={filters} go={go} />
    </Page>
  )
}

interface RowsProps {
  definition: ListDefinition
  query: Query
  filters: Query
  go(query: Query): void
}

function Rows({ definition, query, filters, go }: RowsProps) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const { data, error, refetch } = usePage(definition.list, query)
  const rows = useRowKeys()
  if (error) return <LoadError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={6} />
  const columns = definition.columns.map((column, i) => ({
    key: column.name,
    title: column.names[language],
    figure: ['won', 'count', 'grams'].includes(column.kind),
    ...sortOf(column, data.sort, filters, go, texts),
    cell: (row: Page_['rows'][number]) => {
      const cell = <Cell column={column} value={row.cells[i] ?? null} />
      // One link in a row: a screen reader hears it once, and it opens in a tab of its own where that is asked for.
      // The service names the page of a row. The router's types cannot know it.
      return i === 0 ? (
        <Link to={row.path as '/'} data-row="" className="font-medium text-link no-underline hover:underline">
          {cell}
        </Link>
      ) : (
        cell
      )
    },
  }))
  const hasFilters = Object.keys(filters).length > 0
  return (
    <div ref={rows} className="flex flex-col gap-4">
      <DataTable
        caption={definition.names[language]}
        columns={columns}
        rows={data.rows}
        keyOf={({ id }) => id}
        // The service stopped looking before the end, so `nothing matches` would be a guess.
        empty={data.lookedTo ? '' : <Empty hasFilters={hasFilters} onClear={() => go({})} />}
      />
      {data.lookedTo && (
        <p role="status" className="text-center text-sub">
          {texts.lookedTo(dayOf(data.lookedTo))}
        </p>
      )}
      <Pages page={data} query={query} />
      <p className="hidden text-sm text-sub lg:block">{texts.keys}</p>
    </div>
  )
}

// The key of a place begins with its moment.
const dayOf = (key: string) => key.slice(0, 10)

function Empty({ hasFilters, onClear }: { hasFilters: boolean; onClear(): void }) {
  const texts = useTexts(TEXTS)
  if (!hasFilters) return texts.none
  return (
    <div className="flex flex-col items-center gap-3">
      <p>{texts.nothing}</p>
      <Button look="quiet" size="small" onClick={onClear}>
        {texts.clear}
      </Button>
    </div>
  )
}

type ListTexts = (typeof TEXTS)['ko']

// A heading that sorts. Its address may need a filter: only cards that can still expire are in the order of their expiry.
function sortOf(
  { names, sort, sortNeeds }: ListColumn,
  applied: string,
  filters: Query,
  go: RowsProps['go'],
  texts: ListTexts,
) {
  if (sort === null) return {}
  const isApplied = applied.replace(/^-/, '') === sort
  const isNewestFirst = applied.startsWith('-')
  const next = isApplied && isNewestFirst ? sort : `-${sort}`
  const [filter, value] = sortNeeds?.split('=') ?? []
  const needed = filter !== undefined && !isApplied ? { [filter]: value! } : {}
  return {
    ...(isApplied ? { sorted: isNewestFirst ? ('descending' as const) : ('ascending' as const) } : {}),
    header: (
      <SortHeader
        names={names}
        isApplied={isApplied}
        label={isNewestFirst ? texts.newest : texts.oldest}
        // Without the cursor: it is a place in one order, and means nothing in another.
        onSort={() => go({ ...filters, ...needed, sort: next })}
      />
    ),
  }
}

function SortHeader(props: {
  names: ListColumn['names']
  isApplied: boolean
  label: string
  onSort(): void
}) {
  const { language } = useLanguage()
  return (
    <button
      type="button"
      onClick={props.onSort}
      className="-mx-1.5 min-h-8 rounded-md px-1.5 font-medium hover:bg-quiet hover:text-ink"
    >
      {props.names[language]}
      {props.isApplied && <span className="ps-1 text-link">{props.label}</span>}
    </button>
  )
}

function Pages({ page, query }: { page: Page_; query: Query }) {
  const texts = useTexts(TEXTS)
  const { pathname } = useLocation()
  // The links keep filters and sort, and replace the place.
  const { cursor: at, ...rest } = query
  const to = (cursor?: string) => ({
    to: pathname as '/',
    search: (cursor === undefined ? rest : { ...rest, cursor }) as never,
    className: buttonClass('plain', '', 'small'),
  })
  if (at === undefined && !page.next && !page.previous) return null
  return (
    <nav aria-label={texts.pages} className="flex flex-wrap justify-center gap-2">
      {at !== undefined && <Link {...to()}>{texts.first}</Link>}
      {page.previous !== null && <Link {...to(page.previous)}>{texts.previous}</Link>}
      {page.next !== null && <Link {...to(page.next)}>{page.lookedTo ? texts.goOn : texts.next}</Link>}
    </nav>
  )
}

const STEPS: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }

// Moves between the links of the rows. Letters work wherever nothing is typed; arrows only inside the table, because outside
// they scroll the page.
function useRowKeys() {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    function move(event: KeyboardEvent) {
      const step = STEPS[event.key]
      const target = event.target as HTMLElement
      const isElsewhere = target.closest('input, select, textarea, dialog, [role=dialog]') !== null
      // Shortcuts of the browser and the search box keep their keys.
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey
      if (step === undefined || !ref.current || isElsewhere || hasModifier || event.isComposing) return
      if (event.key.startsWith('Arrow') && !ref.current.contains(target)) return
      const rows = [...ref.current.querySelectorAll<HTMLElement>('[data-row]')]
      const at = rows.indexOf(document.activeElement as HTMLElement)
      // Without a focused row, the first key goes to the first or to the last row.
      rows[at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step]?.focus()
      event.preventDefault()
    }
    window.addEventListener('keydown', move)
    return () => window.removeEventListener('keydown', move)
  }, [])
  return ref
}
