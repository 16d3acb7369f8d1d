import { useQuery } from '@tanstack/react-query'
import type { Withdrawal } from '../../../contract/member.gen.ts'
import { Card } from '../../kit/card.tsx'
import { useTexts, useWon } from '../../kit/language.tsx'
import { callApi } from './api/call-api.ts'
import { IN_WEB_VIEW } from './environment.ts'

const TEXTS = {
  ko: {
    pending: '출금 대기',
    hint: '예치금에서 이미 빠졌어요. 쓸 수 있는 돈과 총액에는 들어 있지 않아요.',
  },
  en: {
    pending: 'Waiting to be paid out',
    hint: 'Already taken from your deposit: neither money to spend nor part of the total.',
  },
}

const WITHDRAWALS = { queryKey: ['withdrawals'], queryFn: () => callApi('GET /withdrawals') } as const

// A web view has no withdrawals: a member withdraws on the website.
export const useWithdrawals = () => useQuery({ ...WITHDRAWALS, enabled: !IN_WEB_VIEW })

// Money of these is neither the member's to spend nor at the bank.
export const isOpen = ({ status }: Withdrawal) => status === 'requested' || status === 'approved'

// Won that have left the deposit and have not been paid out.
export function usePendingWon(): number {
  const { data } = useWithdrawals()
  const open = data?.withdrawals.filter(isOpen) ?? []
  return open.reduce((sum, { amount }) => sum + amount, 0)
}

// Not part of the money that can be spent. Empty while no withdrawal is pending.
export function PendingCard() {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const pending = usePendingWon()
  if (pending === 0) return null
  return (
    <Card>
      <dl>
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <dt className="text-[1.0625rem] font-semibold">{texts.pending}</dt>
          <dd className="ms-auto font-semibold">{won(pending)}</dd>
        </div>
      </dl>
      <p className="mt-1 text-sm text-sub">{texts.hint}</p>
    </Card>
  )
}
