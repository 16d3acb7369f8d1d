import { Buffer } from 'node:buffer'
import { assert } from '#base/assert.ts'
import type { Database } from '#base/db/db.ts'
import { BOM, csvLine, csvText } from '#base/text/csv.ts'
import { type XlsxCell, xlsxFile } from '#base/text/xlsx.ts'
import { LISTS, listFor } from '#flows/lists/all-lists.ts'
import {
  type Cell,
  type Column,
  isPersonal,
  type ListName,
  type ListRow,
  type Names,
} from '#flows/lists/list-types.ts'
import type { Viewer } from '#flows/lists/open-reading.ts'
import type { Asked, BadFilter, Place } from '#flows/lists/read-filters.ts'
import type { Lists } from '#flows/lists/read-lists.ts'
import { insertAuditEntry } from '#modules/audit/store.ts'

export const FORMATS = ['csv', 'xlsx'] as const
type Format = (typeof FORMATS)[number]
type Language = keyof Names

interface ExportCommand {
  list: ListName
  asked: Asked
  viewer: Viewer
  format: Format
  language: Language
}

// The file, chunk by chunk. Whoever reads it no further ends the export.
export type ExportList = (command: ExportCommand) => Promise<AsyncGenerator<Buffer> | 'busy' | BadFilter>

const CHUNK = 1_000 // rows of one statement: some 20 ms of it
const AT_ONCE = 3 // of one process: each holds a connection for part of the time
const OF_ONE = 2 // of one person
// Of all partners' staff together, so that they never keep the operator's own from exporting.
const OF_PARTNERS = 2
const STALLED_MS = 60_000 // somebody who takes nothing for so long has gone

// Rows in the order of the list, each chunk from a statement of its own: no snapshot is held, so that vacuum goes on. A row
// is in the file at most once. Every row is in it that was there at the beginning and still fulfils the filter when the
// export comes to it.
export function createExportList({
  database,
  lists,
  stalledMs = STALLED_MS,
}: {
  database: Database
  lists: Lists
  // Less in tests.
  stalledMs?: number
}): ExportList {
  const running = new Set<Viewer>()
  return async (command) => {
    const viewer = { ...command.viewer }
    if (isFull(running, viewer)) return 'busy'
    running.add(viewer)
    const source = new RowSource(lists, command)
    try {
      // A wrong filter is refused before anything of the file is sent.
      const first = await source.readFirst()
      if (first.kind === 'refused') {
        running.delete(viewer)
        return first
      }
      await record(database, command, 'list.export', {})
    } catch (error) {
      running.delete(viewer)
      throw error
    }
    const file = finished(fileOf(source, command), stalledMs, async (isComplete) => {
      running.delete(viewer)
      await record(database, command, 'list.export_end', { rows: source.count, complete: isComplete })
    })
    // A generator that was never begun ends without a word: of a reader who has gone by now, nothing would be heard.
    await file.next()
    return file
  }
}

function isFull(running: ReadonlySet<Viewer>, { actor, partnerId }: Viewer): boolean {
  const all = [...running]
  const isTaken = all.filter((one) => one.actor === actor).length >= OF_ONE || all.length >= AT_ONCE
  return isTaken || (partnerId !== null && all.filter((one) => one.partnerId !== null).length >= OF_PARTNERS)
}

// In the audit log before the first row leaves, and again with how many left. What was typed to find people is not there.
function record(
  database: Database,
  { list, asked, viewer, format }: ExportCommand,
  action: string,
  told: Record<string, number | boolean>,
): Promise<void> {
  const { filters } = LISTS[list]
  const filter = Object.entries(asked)
    .map(([name, text]) => `${name}=${filters[name] && isPersonal(filters[name]) ? '…' : text}`)
    .join('&')
  const details = { filter, format, ...told }
  return database.withTransaction((tx) =>
    insertAuditEntry(tx, { actor: viewer.actor, action, subject: list, details }),
  )
}

const NOTHING = Buffer.alloc(0)

// `onEnd` is told once: at the end, when the reader goes away, or when it takes nothing for too long. Who then goes on reading
// gets a file that breaks off. The first step gives nothing.
async function* finished(
  file: AsyncGenerator<Buffer>,
  stalledMs: number,
  onEnd: (isComplete: boolean) => Promise<void>,
): AsyncGenerator<Buffer> {
  let end: Promise<void> | undefined
  const tell = (isComplete: boolean) => {
    end ??= onEnd(isComplete)
    return end
  }
  async function* timed(chunk: Buffer): AsyncGenerator<Buffer> {
    // A failure to write the entry is the reader's, who is told at the next step.
    const timer = setTimeout(() => tell(false).catch(() => {}), stalledMs).unref()
    try {
      yield chunk
    } finally {
      clearTimeout(timer)
    }
    assert(!end, 'nobody took the rows of an export for too long: its connection breaks off')
  }
  let isComplete = false
  try {
    yield* timed(NOTHING)
    for await (const chunk of file) yield* timed(chunk)
    isComplete = true
  } finally {
    await tell(isComplete)
  }
}

class RowSource {
  count = 0
  #chunk: ListRow[] = []
  #end: Place | undefined
  readonly #read: (from: Place | undefined) => ReturnType<Lists['readChunk']>

  constructor(lists: Lists, { list, asked, viewer }: ExportCommand) {
    this.#read = (from) => lists.readChunk(list, asked, viewer, { from, size: CHUNK })
  }

  readFirst(): ReturnType<Lists['readChunk']> {
    return this.#readFrom(undefined)
  }

  async *rows(): AsyncGenerator<ListRow> {
    for (;;) {
      for (const row of this.#chunk) {
        this.count += 1
        yield row
      }
      if (!this.#end) return
      const next = await this.#readFrom(this.#end)
      assert(next.kind === 'chunk', 'the first chunk was read by the same filter')
    }
  }

  async #readFrom(from: Place | undefined) {
    const chunk = await this.#read(from)
    if (chunk.kind === 'chunk') {
      this.#chunk = chunk.rows
      this.#end = chunk.end
    }
    return chunk
  }
}

const LAST_LINE: Record<Language, (count: number) => string> = {
  ko: (count) => `파일 끝: 전체 ${count}행`,
  en: (count) => `End of file: all ${count} rows`,
}

export function columnsFor(list: ListName, viewer: Viewer): Column[] {
  const { columns } = listFor(list, viewer)
  return columns.filter(({ forOperator }) => !forOperator || viewer.partnerId === null)
}

function fileOf(
  source: RowSource,
  { list, viewer, format, language }: ExportCommand,
): AsyncGenerator<Buffer> {
  const columns = columnsFor(list, viewer)
  const header = columns.map(({ names }) => names[language])
  const last = () => [LAST_LINE[language](source.count)]
  return format === 'csv'
    ? csvFile(source, { header, columns, last, language })
    : xlsxFile({ header, rows: cellsOf(source, columns, language), last })
}

interface CsvParts {
  header: readonly string[]
  columns: readonly Column[]
  last: () => readonly string[]
  language: Language
}

async function* csvFile(
  source: RowSource,
  { header, columns, last, language }: CsvParts,
): AsyncGenerator<Buffer> {
  let text = BOM + csvLine(header)
  for await (const { cells } of source.rows()) {
    text += csvLine(
      columns.map((column) => {
        const cell = fileCell(column, cells[column.name] ?? null, language)
        return typeof cell === 'number' ? String(cell) : csvText(cell)
      }),
    )
    if (text.length > CSV_CHUNK) {
      yield Buffer.from(text)
      text = ''
    }
  }
  yield Buffer.from(text + csvLine(last()))
}

const CSV_CHUNK = 64 * 1024

async function* cellsOf(
  source: RowSource,
  columns: readonly Column[],
  language: Language,
): AsyncGenerator<XlsxCell[]> {
  for await (const { cells } of source.rows())
    yield columns.map((column) => fileCell(column, cells[column.name] ?? null, language))
}

function fileCell({ kind, choices }: Column, cell: Cell, language: Language): XlsxCell {
  if (cell === null) return ''
  if (typeof cell === 'number') return cell
  if (kind === 'grams') return Number(cell)
  if (kind === 'choice') return choices?.[cell]?.[language] ?? cell
  if (kind !== 'moment') return cell
  // Seoul time without an offset: spreadsheets take an offset for text and cannot sort by it.
  const local = Temporal.Instant.from(cell).toZonedDateTimeISO('Asia/Seoul').toPlainDateTime()
  return local.toString({ smallestUnit: 'second' }).replace('T', ' ')
}
