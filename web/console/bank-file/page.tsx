import { useState } from 'react'
import type { BankRow, MatchedBankFile } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { withCommas } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { AlertNote } from '../../kit/note.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { type Refusal, refusalOf } from '../shared/api/refusal.ts'
import { sayRefusal } from '../shared/api/refusal-texts.ts'
import { Page, Section } from '../shared/page.tsx'
import { PaySheet } from './pay-sheet.tsx'
import { isOpen, RowTable } from './row-table.tsx'
import { sayFileRefusal } from './texts.ts'

const TEXTS = {
  ko: {
    title: '은행 입금 파일',
    sub: '은행에서 받은 CSV 파일의 입금을 남은 정산서와 맞춰 봅니다. 파일은 저장하지 않고, 입금은 두 사람이 기록합니다.',
    file: 'CSV 파일',
    hint: 'UTF-8, CP949, UTF-16 파일을 읽습니다. 1MB까지입니다. 더 큰 파일은 ingot statement match 명령으로 읽어 주세요.',
    tooLarge: '1MB보다 큰 파일입니다. ingot statement match 명령으로 읽어 주세요.',
    reading: '읽는 중입니다.',
    found: (count: number, encoding: string) => `입금 ${withCommas(count)}건 · ${encoding}`,
    rows: '입금과 제안',
    ask: (count: number) => `선택한 ${withCommas(count)}건 입금 등록`,
  },
  en: {
    title: 'Bank file',
    sub: 'Compares the deposits of a bank’s CSV file with open statements. The file is not kept; two people record a payment.',
    file: 'CSV file',
    hint: 'UTF-8, CP949 and UTF-16 are read, up to 1 MB. For a larger file: ingot statement match.',
    tooLarge: 'The file is larger than 1 MB. Use ingot statement match.',
    reading: 'Reading.',
    found: (count: number, encoding: string) => `${withCommas(count)} deposits · ${encoding}`,
    rows: 'Deposits and suggestions',
    ask: (count: number) => `Record ${withCommas(count)} selected`,
  },
}

// The service takes no larger file: nobody reads more rows on a page. The command line takes larger ones.
const MOST_BYTES = 1024 * 1024

// The bytes go as they are. The service finds out the encoding, which banks choose differently.
async function toBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  // In pieces: a call takes so many arguments and no more.
  for (let i = 0; i < bytes.length; i += 8_192) text += String.fromCharCode(...bytes.subarray(i, i + 8_192))
  return btoa(text)
}

export default function BankFilePage() {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const { file, matched, selected, setSelected, busy, refusal, isTooLarge, read } = useBankFile()
  const [open, setOpen] = useState(false)
  const rows = matched?.rows.filter(({ line }) => selected.has(line)) ?? []
  const said = refusal && (sayFileRefusal(refusal, language) ?? sayRefusal(refusal, language))
  return (
    <Page title={texts.title} sub={texts.sub}>
      <Section title={texts.file}>
        <Field
          label={texts.file}
          hint={texts.hint}
          type="file"
          accept=".csv,.txt,text/csv"
          className="py-3.5"
          // Reading starts with the choice: nothing is stored or booked by it.
          onChange={(event) => void read(event.target.files?.[0])}
        />
        <p role="status" className="pt-2 text-sm text-sub">
          {busy ? texts.reading : matched && texts.found(matched.rows.length, matched.encoding)}
        </p>
        <AlertNote look="bad">{isTooLarge ? texts.tooLarge : said}</AlertNote>
      </Section>
      {matched && (
        <Section
          title={texts.rows}
          aside={
            <Button size="small" disabled={rows.length === 0} onClick={() => setOpen(true)}>
              {texts.ask(rows.length)}
            </Button>
          }
        >
          <RowTable rows={matched.rows} selected={selected} onSelect={setSelected} />
        </Section>
      )}
      {open && <PaySheet rows={rows} onClose={() => setOpen(false)} onDone={() => void read(file)} />}
    </Page>
  )
}

function useBankFile() {
  const [file, setFile] = useState<File>()
  const [matched, setMatched] = useState<MatchedBankFile>()
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const isTooLarge = file !== undefined && file.size > MOST_BYTES

  async function read(chosen: File | undefined) {
    setFile(chosen)
    setMatched(undefined)
    setRefusal(undefined)
    // A line number names another deposit in another file.
    setSelected(new Set())
    if (!chosen || chosen.size > MOST_BYTES) return
    setBusy(true)
    try {
      const found = await callApi('POST /bank-file', { body: { file: await toBase64(chosen) } })
      setMatched(found)
      setSelected(new Set(found.rows.filter(isCertain).map(({ line }) => line)))
    } catch (error) {
      setRefusal(refusalOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { file, matched, selected, setSelected, busy, refusal, isTooLarge, read }
}

// The others are for people to look at first.
const isCertain = (row: BankRow) => row.sure === 'certain' && isOpen(row)
