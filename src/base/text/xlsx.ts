import { MAX_PART_BYTES, ZipWriter } from './zip.ts'

// Text, or a quantity that can be added up.
export type XlsxCell = string | number

const MAX_ROWS = 1_048_576 // of one sheet, as Excel has it
const MAX_TEXT = 32_767 // of one cell
// Each chunk of so many rows ends with a mark that a reader can count: 00 00 FF FF, as a flush leaves it.
export const ROWS_PER_MARK = 250
const MAX_SHEET_BYTES = MAX_PART_BYTES - 64 * 1024 * 1024 // a row more still fits

export interface Sheets {
  header: readonly string[]
  rows: AsyncIterable<readonly XlsxCell[]>
  // The last row, which says that nothing is missing.
  last: () => readonly XlsxCell[]
  // Rows of a sheet, the header included. Fewer in tests.
  maxRows?: number
}

// A spreadsheet as it is made, in constant memory. Rows that one sheet cannot hold go on in the next, under the same header.
export async function* xlsxFile({ header, rows, last, maxRows = MAX_ROWS }: Sheets): AsyncGenerator<Buffer> {
  const zip = new ZipWriter()
  const all = withLast(rows, last)[Symbol.asyncIterator]()
  let next = await all.next()
  let sheets = 0
  try {
    do {
      sheets += 1
      yield* zip.part(`xl/worksheets/sheet${sheets}.xml`, sheet())
    } while (!next.done)
    for (const [name, text] of bookParts(sheets)) yield* zip.part(name, [text])
    yield* zip.end()
  } finally {
    await all.return?.(undefined)
  }

  async function* sheet(): AsyncGenerator<string> {
    let text = `${XML}<worksheet xmlns="${MAIN}"><sheetData>${rowXml(header)}`
    let size = 0
    for (let count = 1; !next.done && count < maxRows && size < MAX_SHEET_BYTES; count += 1) {
      text += rowXml(next.value)
      if (count % ROWS_PER_MARK === 0) {
        size += Buffer.byteLength(text)
        yield text
        text = ''
      }
      next = await all.next()
    }
    yield `${text}</sheetData></worksheet>`
  }
}

async function* withLast(
  rows: AsyncIterable<readonly XlsxCell[]>,
  last: () => readonly XlsxCell[],
): AsyncGenerator<readonly XlsxCell[], undefined> {
  yield* rows
  yield last()
  return undefined
}

function rowXml(cells: readonly XlsxCell[]): string {
  let xml = '<row>'
  for (const cell of cells) {
    if (cell === '') xml += '<c/>'
    else if (typeof cell === 'number') xml += `<c><v>${cell}</v></c>`
    // Always text, so that no cell is a formula.
    else xml += `<c t="inlineStr"><is><t xml:space="preserve">${textXml(cell)}</t></is></c>`
  }
  return `${xml}</row>`
}

// What XML cannot hold.
const NOT_XML = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu
const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function textXml(text: string): string {
  const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text
  return (
    short
      .toWellFormed()
      .replace(NOT_XML, ' ')
      .replace(/[&<>"]/g, (sign) => ESCAPED[sign]!)
      // Excel would read _x0041_ as the letter A.
      .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
  )
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

// What names the sheets: known when all of them are written.
function bookParts(sheets: number): [name: string, text: string][] {
  const each = (xml: (n: number) => string) => Array.from({ length: sheets }, (_, i) => xml(i + 1)).join('')
  return [
    [
      'xl/workbook.xml',
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${each(
        (n) => `<sheet name="${n}" sheetId="${n}" r:id="rId${n}"/>`,
      )}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each(
        (n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
      )}</Relationships>`,
    ],
    [
      '_rels/.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>${each(
        (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPE}.worksheet+xml"/>`,
      )}</Types>`,
    ],
  ]
}
