const NUMBER = /^[+-]?\d+(?:\.\d+)?$/
const CONTROL = /\p{Cc}+/gu
// Zero-width characters and direction marks: a spreadsheet, or a person who cleans the file up, may drop them.
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu
const FORMULA = /^[=+\-@\u2212]/

// Without it Excel reads Korean as Latin.
export const BOM = '\uFEFF'

// A line of the file. Each line ends like this, the last one too.
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

// Digits that a spreadsheet would round or shorten: it keeps 15 of them, and drops leading zeros.
const LONG_DIGITS = /^(?:0\d+|\d{12,})$/

// An id, a number to dial, anything that is no quantity: it arrives as it is written here.
export function csvText(text: string): string {
  return LONG_DIGITS.test(text) ? `'${text}` : text
}

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
