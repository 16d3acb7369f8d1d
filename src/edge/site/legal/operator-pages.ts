import type { Languages, LegalTexts, Operator } from '#modules/operator/types.ts'

// The content of the pages about the operator.
export interface OperatorPages {
  details: Languages<Operator>
  // True in a sandbox if some of it is made up.
  isSample: boolean
  texts: LegalTexts
}
