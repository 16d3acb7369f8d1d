import type { Languages, LegalTexts, Operator } from '#modules/operator/types.ts'

// What the pages about the operator are made of.
export interface OperatorPages {
  details: Languages<Operator>
  // In a sandbox: some of it was made up.
  isSample: boolean
  texts: LegalTexts
}
