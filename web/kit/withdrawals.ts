import { useQuery } from '@tanstack/react-query'
import { ask } from './api.ts'

const WITHDRAWALS = { queryKey: ['withdrawals'], queryFn: () => ask('GET /withdrawals') } as const

export const useWithdrawals = (enabled = true) => useQuery({ ...WITHDRAWALS, enabled })

// Won that have left the deposit and are not at the bank yet.
export function useOnTheirWay(enabled: boolean): number {
  const { data } = useWithdrawals(enabled)
  const open = data?.withdrawals.filter(({ status }) => status === 'requested' || status === 'approved') ?? []
  return open.reduce((sum, { amount }) => sum + amount, 0)
}
