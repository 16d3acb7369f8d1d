const NUMBER = /^[+-]?\d+(?:\.\d+)?$/
const CONTROL = /\p{Cc}+/gu
// Zero-width characters and direction marks: a spreadsheet, or a person who cleans the file up, may drop them.
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu
const FORMULA = /^[=+\-@\u2212]/

// One cell as RFC 4180 writes it, always one line. A cell that a spreadsheet would take for a formula becomes text:
// people and partners choose their own names.
export function csvCell(text: string): string {
  const line = text.replace(CONTROL, ' ')
  const safe = isFormula(line) && !NUMBER.test(line) ? `'${line}` : line
  // The semicolon separates cells where the comma separates decimals.
  return /[",;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

// Behind leading blanks too, and in the full-width forms that Korean keyboards write.
function isFormula(line: string): boolean {
  return FORMULA.test(line.replace(INVISIBLE, '').trimStart().slice(0, 1).normalize('NFKC'))
}
