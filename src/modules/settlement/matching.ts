import type { BankDeposit } from './bank-file.ts'

export interface OpenStatement {
  number: string
  partner: string
  open: bigint
}

export interface PayerNames {
  partner: string
  names: readonly string[]
}

// certain: the payer is one partner, and the amount what it has open. likely: only the payer says it. amount: only the amount does.
export interface Match {
  deposit: BankDeposit
  sure: 'certain' | 'likely' | 'amount' | 'none'
  partner: string | null
  statements: string[]
}

// Banks cut names and drop blanks; companies write their form before or after them.
function plain(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/주식회사|유한회사|\(주\)|\(유\)|[^\p{L}\p{N}]/gu, '')
}

const MIN_NAME = 2 // one letter would be found in every name

const isNamed = (typed: string, names: readonly string[]) =>
  names.some((name) => name.length >= MIN_NAME && typed.includes(name))

// Suggestions only: people decide. statements: oldest first.
export function matchDeposits(
  deposits: readonly BankDeposit[],
  statements: readonly OpenStatement[],
  payers: readonly PayerNames[],
): Match[] {
  // Once: a file has thousands of lines.
  const known = payers.map(({ partner, names }) => ({ partner, names: names.map(plain) }))
  return deposits.map((deposit) => {
    const typed = plain(deposit.payer)
    const named = known.filter(({ names }) => isNamed(typed, names))
    const partner = named.length === 1 ? named[0]!.partner : null
    const own = statements.filter((one) => one.partner === partner)
    const numbers = (found: readonly OpenStatement[]) => found.map(({ number }) => number)
    if (partner !== null) {
      const exact = own.filter(({ open }) => open === deposit.won)
      const isAll = own.reduce((sum, { open }) => sum + open, 0n) === deposit.won
      const paid = exact.length === 1 ? exact : isAll ? own : undefined
      if (paid) return { deposit, sure: 'certain', partner, statements: numbers(paid) }
      return { deposit, sure: 'likely', partner, statements: numbers(own) }
    }
    const alike = statements.filter(({ open }) => open === deposit.won)
    if (alike.length === 1)
      return { deposit, sure: 'amount', partner: alike[0]!.partner, statements: numbers(alike) }
    return { deposit, sure: 'none', partner: null, statements: [] }
  })
}
