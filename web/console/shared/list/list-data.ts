import { useQuery } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import type {
  ListDefinition,
  ListFigure,
  ListName,
  ListPage,
  Lists,
} from '../../../../contract/console.gen.ts'
import { callApi } from '../api/call-api.ts'
import { API_PATH, PAGES_PATH } from '../environment.ts'
import { type Query, textOf } from './address.ts'

// What lists there are for this person. It changes with a release or a role, not with the data.
export const LISTS = {
  queryKey: ['lists'],
  queryFn: () => callApi('GET /lists'),
  staleTime: 300_000,
} as const

export function useDefinition(list: ListName): {
  all: Lists | undefined
  definition: ListDefinition | undefined
  error: unknown
  refetch(): void
} {
  const { data, error, refetch } = useQuery(LISTS)
  return { all: data, definition: data?.lists.find((one) => one.list === list), error, refetch }
}

// The state of a list is its address: filters, sort and place, as readable text.
// A link to a list therefore shows its reader the same rows, and the Back button undoes a filter.
export function useListState(): { query: Query; filters: Query; go(query: Query): void } {
  const { pathname, search } = useLocation()
  const router = useRouter()
  const query = search as Query
  // Sort and place do not change which rows there are, so chips and figures ignore them.
  const { sort: _, cursor: __, ...filters } = query
  // Text, not the router's typed search: every list has filters of its own.
  return { query, filters, go: (next) => router.history.push(`${PAGES_PATH}${pathname}${textOf(next)}`) }
}

// The contract has operations for each list. Which list it is, only the running page knows, so the types end here.
type Call = (key: string, given: { query: object }) => Promise<unknown>

export const usePage = (list: ListName, query: Query) =>
  useQuery({
    queryKey: ['list', list, query],
    queryFn: () => (callApi as Call)(`GET /lists/${list}`, { query }) as Promise<ListPage>,
  })

export const useFigure = (list: ListName, filters: Query, isExact: boolean) =>
  useQuery({
    queryKey: ['figure', list, filters, isExact],
    queryFn: () =>
      (callApi as Call)(`GET /lists/${list}/figure`, {
        query: { ...filters, ...(isExact ? { exact: 'yes' } : {}) },
      }) as Promise<ListFigure>,
  })

export function exportAddress(list: ListName, query: Query, format: 'csv' | 'xlsx', lang: string): string {
  // An export has every row of the filter, not only those from this page on.
  const { cursor: _, ...rest } = query
  return `${API_PATH}/lists/${list}/export${textOf({ ...rest, format, lang })}`
}
