// Account ids are the database's own numbers.
export interface Transfer {
  groupId: string
  cardId: string
  debit: bigint
  credit: bigint
  amount: bigint
}
export type TransferKind = 'issue' | 'void'
