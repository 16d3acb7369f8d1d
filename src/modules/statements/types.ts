// What an issued statement said, and says for as long as it is kept.
export interface IssuedStatement {
  number: string
  // For whoever holds the paper: proves that the number was read from it.
  code: string
  issuedAt: Temporal.Instant
  // As printed, and masked for everybody who checks it.
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
