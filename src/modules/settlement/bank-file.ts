// A bank's list of what came in, as its customers download it: CSV, in UTF-8 or in CP949, with lines above the header and a line
// of totals below. Anything that is not understood is refused, with its line: no row is left out or repaired.

export interface BankDeposit {
  // In the file, from 1.
  line: number
  date: string
  payer: string
  won: bigint
  // The bank's number of it; made of the rest if the file has none.
  reference: string
}

export type BankFileRefusal =
  | 'file_too_large'
  | 'encoding_unknown'
  | 'quote_open'
  | 'columns_missing'
  | 'amount_unreadable'
  | 'date_unreadable'
  | 'other_currency'
  | 'totals_differ'
  | 'file_empty'

export type BankFile =
  | { kind: 'read'; deposits: BankDeposit[]; encoding: string }
  | { kind: 'refused'; reason: BankFileRefusal; line: number | null; text: string }

const MAX_BYTES = 10 * 1024 * 1024 // some 100,000 rows

const refused = (reason: BankFileRefusal, line: number | null = null, text = '') =>
  ({ kind: 'refused', reason, line, text: text.slice(0, 80) }) as const

// The names that banks give their columns, without blanks and signs.
const COLUMNS = {
  date: ['거래일시', '거래일자', '거래일', '입금일시', '입금일', '일자', '날짜', 'date', 'transactiondate'],
  deposit: ['입금액', '입금', '입금금액', '맡기신금액', '받으신금액', 'deposit', 'credit', 'amount'],
  payer: [
    '보낸분',
    '보낸분받는분',
    '의뢰인',
    '입금자',
    '입금자명',
    '기재내용',
    '거래내용',
    '내용',
    '적요',
    'payer',
    'description',
    'memo',
  ],
  reference: ['거래번호', '거래고유번호', '일련번호', 'reference', 'transactionid'],
  currency: ['통화', '통화코드', 'currency'],
} as const
type Column = keyof typeof COLUMNS

// Longer ones are no names and no amounts. Everything here is in proportion to the file, also where somebody made it to be slow.
const MAX_NAME = 100
const MAX_AMOUNT = 40

const nameOf = (cell: string) =>
  cell.length > MAX_NAME ? '' : cell.toLowerCase().replace(/\([^)]*\)|[^\p{L}\p{N}]/gu, '')

export function readBankFile(bytes: Uint8Array): BankFile {
  if (bytes.length > MAX_BYTES) return refused('file_too_large')
  const decoded = decode(bytes)
  if (!decoded) return refused('encoding_unknown')
  const rows = splitRows(decoded.text)
  if (!rows) return refused('quote_open')
  const head = rows.findIndex(({ cells }) => placesOf(cells) !== undefined)
  if (head < 0) return refused('columns_missing')
  const places = placesOf(rows[head]!.cells)!
  const deposits: BankDeposit[] = []
  let sum = 0n
  const seen = new Map<string, number>()
  for (const { line, cells } of rows.slice(head + 1)) {
    const text = cells.join(',')
    const cell = (column: Column) => (cells[places[column] ?? -1] ?? '').trim()
    if (cells.every((one) => one.trim() === '')) continue
    const amount = cell('deposit')
    if (!/^(?:krw|원|₩|)$/i.test(cell('currency')) || /[$€¥£]|usd|eur|jpy|cny/i.test(amount))
      return refused('other_currency', line, text)
    const won = amount === '' || amount === '-' ? 0n : parseWon(amount)
    if (won === undefined) return refused('amount_unreadable', line, text)
    if (/합계|총계|total/i.test(text) && !/\d{4}/.test(cell('date'))) {
      if (won !== sum) return refused('totals_differ', line, text)
      continue
    }
    const date = parseDay(cell('date'))
    if (date === undefined) return refused('date_unreadable', line, text)
    // What went out is nothing that a partner paid.
    if (won === 0n) continue
    const payer = cell('payer').replace(/\s+/g, ' ')
    const reference = cell('reference') || `${cell('date')} ${payer} ${won}`
    // Two payments alike in everything are two payments.
    const before = seen.get(reference) ?? 0
    seen.set(reference, before + 1)
    const own = before === 0 ? reference : `${reference} #${before + 1}`
    sum += won
    deposits.push({ line, date, payer, won, reference: own.slice(0, 100) })
  }
  return deposits.length > 0 ? { kind: 'read', deposits, encoding: decoded.encoding } : refused('file_empty')
}

// What is not UTF-8 and is from a Korean bank is CP949, which browsers call euc-kr. Neither guesses.
function decode(bytes: Uint8Array): { text: string; encoding: string } | undefined {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
  for (const encoding of isWide ? ['utf-16le'] : ['utf-8', 'euc-kr']) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
      return text.includes('\0') ? undefined : { text, encoding }
    } catch {}
  }
  return undefined
}

interface Row {
  line: number
  cells: string[]
}

// RFC 4180, with commas, semicolons or tabs: whichever the file has most of. Undefined: a quote never ends.
function splitRows(text: string): Row[] | undefined {
  const count = (sign: string) => text.split(sign).length
  const separator = [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0]!
  const rows: Row[] = []
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  let line = 1
  let began = 1
  const end = () => {
    rows.push({ line: began, cells: [...cells, cell] })
    cells = []
    cell = ''
    began = line
  }
  for (let i = 0; i < text.length; i += 1) {
    const sign = text[i]!
    if (sign === '\n') line += 1
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text[i + 1] === '"') {
        cell += '"'
        i += 1
      } else isQuoted = false
    } else if (sign === '"' && cell.trim() === '') {
      isQuoted = true
      cell = ''
    } else if (sign === separator) {
      cells.push(cell)
      cell = ''
    } else if (sign === '\n') end()
    else if (sign !== '\r') cell += sign
  }
  if (isQuoted) return undefined
  if (cell !== '' || cells.length > 0) end()
  return rows
}

function placesOf(cells: readonly string[]): Partial<Record<Column, number>> | undefined {
  const names = cells.map(nameOf)
  const places: Partial<Record<Column, number>> = {}
  for (const [column, known] of Object.entries(COLUMNS)) {
    const place = known.map((name) => names.indexOf(name)).find((at) => at >= 0)
    if (place !== undefined) places[column as Column] = place
  }
  const isHeader = places.date !== undefined && places.deposit !== undefined && places.payer !== undefined
  return isHeader ? places : undefined
}

function parseWon(text: string): bigint | undefined {
  if (text.length > MAX_AMOUNT) return undefined
  const plain = text.replace(/^₩\s*|\s*원$/g, '')
  if (!/^(?:\d{1,15}|\d{1,3}(?:,\d{3}){1,4})(?:\.0{1,2})?$/.test(plain)) return undefined
  return BigInt(plain.replace(/\..*$/, '').replaceAll(',', ''))
}

function parseDay(text: string): string | undefined {
  const match = /^(\d{4})[-./년]?\s?(\d{1,2})[-./월]?\s?(\d{1,2})/.exec(text)
  if (!match) return undefined
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' }).toString()
  } catch {
    return undefined
  }
}
