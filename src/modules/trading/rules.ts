import type { Purse } from './types.ts'

// Points first, then deposit.
export function splitOf({ points, deposit }: Pick<Purse, 'points' | 'deposit'>, total: bigint) {
  const fromPoints = points < total ? points : total
  const fromDeposit = deposit < total - fromPoints ? deposit : total - fromPoints
  return { fromPoints, fromDeposit, lacking: total - fromPoints - fromDeposit }
}
