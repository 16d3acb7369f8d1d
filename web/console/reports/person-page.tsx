import { useState } from 'react'
import type { Report } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { type Refusal, refusalOf } from '../shared/api/refusal.ts'
import { RefusalMessage } from '../shared/api/refusal-message.tsx'
import { API_PATH } from '../shared/environment.ts'
import { Page, Section } from '../shared/page.tsx'
import { useProven } from '../shared/proof.tsx'
import { saveFile } from '../shared/save-file.ts'
import { ReportAnswer, StandsFor } from './answer.tsx'
import { ABOUT, TEXTS } from './texts.ts'

const EMPTY = { member: '', from: '', to: '', reason: '' }
type Asked = typeof EMPTY

// Nothing is in the address: it would stay in the browser's history.
export default function PersonReportPage() {
  const texts = useTexts(TEXTS)
  const about = useTexts(ABOUT)
  const { language } = useLanguage()
  const proven = useProven()
  const [draft, setDraft] = useState(EMPTY)
  const [isChecked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  // With the answer, what was asked for it: the file is of the same.
  const [answer, setAnswer] = useState<{ report: Report; asked: Asked }>()
  const isWrong = (name: keyof Asked) => draft[name].trim() === ''

  async function submit() {
    setChecked(true)
    if (busy || (Object.keys(draft) as (keyof Asked)[]).some(isWrong)) return
    setBusy(true)
    setRefusal(undefined)
    try {
      const body = { ...draft, member: draft.member.trim() }
      setAnswer({ report: await proven(() => callApi('POST /reports/transactions', { body })), asked: body })
    } catch (error) {
      setAnswer(undefined)
      setRefusal(refusalOf(error))
    } finally {
      setBusy(false)
    }
  }

  const field = (name: keyof Asked, more: Partial<Parameters<typeof Field>[0]> = {}) => (
    <Field
      label={texts[name]}
      value={draft[name]}
      autoComplete="off"
      {...more}
      onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
      error={isChecked && isWrong(name) ? texts.missing : undefined}
    />
  )
  return (
    <Page
      title={answer?.report.names[language] ?? about.transactions}
      sub={answer ? <StandsFor report={answer.report} /> : texts.personSub}
      actions={answer && <Files asked={answer.asked} />}
    >
      <Section title={texts.member}>
        <form
          noValidate
          className="grid gap-4 sm:grid-cols-2"
          onSubmit={(event) => {
            event.preventDefault()
            void submit()
          }}
        >
          {field('member', { hint: texts.memberHint, maxLength: 36 })}
          {field('reason', { hint: texts.reasonHint, maxLength: 500 })}
          {field('from', { type: 'date' })}
          {field('to', { type: 'date' })}
          <div className="flex flex-col gap-3 sm:col-span-2">
            <RefusalMessage refusal={refusal} />
            <Button type="submit" size="small" busy={busy} className="self-start">
              {texts.apply}
            </Button>
          </div>
        </form>
      </Section>
      {answer && <ReportAnswer report={answer.report} />}
    </Page>
  )
}

function Files({ asked }: { asked: Asked }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const [said, setSaid] = useState('')
  async function download(format: 'csv' | 'xlsx') {
    setSaid('')
    try {
      // A POST, because a link would have the person in its address.
      const response = await fetch(`${API_PATH}/reports/transactions/file`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...asked, format, language }),
      })
      if (!response.ok) return setSaid(texts.fileFailed)
      saveFile(await response.blob(), response)
    } catch {
      setSaid(texts.fileFailed)
    }
  }
  return (
    <>
      <span role="alert" className="text-sm text-up empty:sr-only">
        {said}
      </span>
      {(['csv', 'xlsx'] as const).map((format) => (
        <Button key={format} look="plain" size="small" onClick={() => void download(format)}>
          {format.toUpperCase()}
        </Button>
      ))}
    </>
  )
}
