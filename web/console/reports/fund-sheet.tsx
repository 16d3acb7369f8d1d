import { useState } from 'react'
import type { SafeguardMethod } from '../../../contract/console.gen.ts'
import { Field, Segments } from '../../kit/field.tsx'
import { useTexts } from '../../kit/language.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { METHOD_NAMES, TEXTS } from './texts.ts'

const METHODS = ['trust', 'deposit', 'guarantee'] as const
const SHAPES = { institution: /\S/, asOf: /^\d{4}-\d{2}-\d{2}$/, won: /^\d{1,15}$/, reference: /\S/ }

// What an institution holds at the end of a day. A second person approves it.
export function FundSheet({ asOf, onClose, onDone }: { asOf: string; onClose(): void; onDone(): void }) {
  const texts = useTexts(TEXTS)
  const methods = useTexts(METHOD_NAMES)
  const [method, setMethod] = useState<SafeguardMethod>('trust')
  const [draft, setDraft] = useState({ institution: '', asOf, won: '', reference: '' })
  const [isChecked, setChecked] = useState(false)
  const isWrong = (name: keyof typeof draft) => !SHAPES[name].test(draft[name])
  const field = (name: keyof typeof draft, more: Partial<Parameters<typeof Field>[0]> = {}) => (
    <Field
      label={texts[name]}
      value={draft[name]}
      autoComplete="off"
      maxLength={100}
      {...more}
      onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
      error={isChecked && isWrong(name) ? texts.missing : undefined}
    />
  )
  return (
    <ActSheet
      open
      {...{ onClose, onDone }}
      title={texts.recordTitle}
      explain={texts.recordWill}
      act={texts.record}
      check={() => {
        setChecked(true)
        return !(Object.keys(draft) as (keyof typeof draft)[]).some(isWrong)
      }}
      run={(reason) =>
        callApi('POST /safeguarded-funds', { body: { ...draft, won: Number(draft.won), method, reason } })
      }
    >
      {field('institution')}
      <Segments<SafeguardMethod>
        legend={texts.method}
        value={method}
        options={METHODS.map((value) => ({ value, label: methods[value] }))}
        onChange={setMethod}
      />
      {field('asOf', { type: 'date' })}
      {field('won', { inputMode: 'numeric', maxLength: 15 })}
      {field('reference')}
    </ActSheet>
  )
}
