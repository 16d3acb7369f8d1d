// The content of an issued statement, unchanged for as long as it is kept.
export interface IssuedStatement {
  number: string
  // Proves that the number was read from the paper.
  code: string
  issuedAt: Temporal.Instant
  // As printed, and masked for people who check it.
  name: string
  maskedName: string
  isFullName: boolean
  // As they were shown. The edge makes them and reads them.
  figures: StatementFigures
}

export interface StatementFigures {
  from: string
  to: string
}
