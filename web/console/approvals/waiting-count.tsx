import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../kit/language.tsx'
import { callApi } from '../shared/api/call-api.ts'

const TEXTS = {
  ko: { waiting: (count: number) => `대기 ${count}건` },
  en: { waiting: (count: number) => `${count} waiting` },
}

const EVERY_MS = 30_000

// Beside the menu's entry: how many wait for a person.
export function WaitingCount() {
  const texts = useTexts(TEXTS)
  const { data } = useQuery({
    queryKey: ['approvals', 'count'],
    queryFn: () => callApi('GET /approvals/count'),
    refetchInterval: EVERY_MS,
  })
  // The inbox has both, so the menu counts both.
  const count = data ? data.requests + data.withdrawals : 0
  if (count === 0) return null
  return (
    <span className="ms-auto rounded-full bg-action px-2 text-[0.8125rem] font-semibold text-on-action">
      {/* A bare number says nothing to a screen reader, so it hears a phrase instead. */}
      <span aria-hidden="true">{count}</span>
      <span className="sr-only">{texts.waiting(count)}</span>
    </span>
  )
}
