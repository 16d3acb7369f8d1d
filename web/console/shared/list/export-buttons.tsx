import { useRef, useState } from 'react'
import type { ListName } from '../../../../contract/console.gen.ts'
import { Button } from '../../../kit/button.tsx'
import { withCommas } from '../../../kit/format.ts'
import { useLanguage, useTexts } from '../../../kit/language.tsx'
import { saveFile } from '../save-file.ts'
import type { Query } from './address.ts'
import { MARKS, markCounter } from './count-marks.ts'
import { exportAddress, useFigure } from './list-data.ts'

const TEXTS = {
  ko: {
    rows: (rows: string, all: string) => `${rows}행 받음 / 전체 ${all}행`,
    cancel: '그만두기',
    done: '파일을 받았습니다.',
    failed: '내보내기가 끊겼습니다. 받은 부분은 저장하지 않았습니다. 다시 시도해 주세요.',
    refused: '지금은 내보낼 수 없습니다. 필터를 확인하거나 잠시 뒤 다시 시도해 주세요.',
  },
  en: {
    rows: (rows: string, all: string) => `${rows} of ${all} rows received`,
    cancel: 'Cancel',
    done: 'The file is saved.',
    failed: 'The export broke off. Nothing was saved. Try again.',
    refused: 'It cannot be exported now. Check the filters, or try again in a moment.',
  },
}

// All rows of the filter as a file. It is read while it is made, so that the page can tell how far it is and stop it. A file that
// broke off is not saved: it would look whole.
export function ExportButtons({ list, query, filters }: { list: ListName; query: Query; filters: Query }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  // The same query as the figure above the list, so the cache answers it.
  const { data: figure } = useFigure(list, filters, false)
  const [rows, setRows] = useState<number>()
  const [said, setSaid] = useState('')
  const stop = useRef<AbortController>(undefined)

  async function download(format: 'csv' | 'xlsx') {
    stop.current = new AbortController()
    setSaid('')
    setRows(0)
    try {
      // Not callApi: it waits for a whole JSON answer and gives up after 15 seconds. An export may take longer.
      const response = await fetch(exportAddress(list, query, format, language), {
        signal: stop.current.signal,
      })
      if (!response.ok) return setSaid(texts.refused)
      const parts: BlobPart[] = []
      const count = markCounter(MARKS[format])
      const rowsPerMark = Number(response.headers.get('ingot-rows-per-mark'))
      const reader = response.body!.getReader()
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        parts.push(next.value as BlobPart)
        setRows(count(next.value) * rowsPerMark)
      }
      saveFile(new Blob(parts), response)
      setSaid(texts.done)
    } catch {
      // Whoever cancelled knows why no file came.
      setSaid(stop.current.signal.aborted ? '' : texts.failed)
    } finally {
      setRows(undefined)
    }
  }

  const all = figure ? `${withCommas(figure.count)}${figure.whole ? '' : '+'}` : '…'
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span role="status" className="text-sm text-sub empty:sr-only">
        {/* Marks count more than rows, such as the header line. An exact figure therefore caps the estimate. */}
        {rows === undefined
          ? said
          : texts.rows(withCommas(figure?.whole ? Math.min(rows, figure.count) : rows), all)}
      </span>
      {rows !== undefined ? (
        <Button look="plain" size="small" onClick={() => stop.current?.abort()}>
          {texts.cancel}
        </Button>
      ) : (
        (['csv', 'xlsx'] as const).map((format) => (
          <Button key={format} look="plain" size="small" onClick={() => void download(format)}>
            {format.toUpperCase()}
          </Button>
        ))
      )}
    </div>
  )
}
