import { useState } from 'react'
import type { RefundPolicy } from '../../../contract/console.gen.ts'
import { Field } from '../../kit/field.tsx'
import { useTexts } from '../../kit/language.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import type { SheetProps } from '../shared/object/preview-sheet.tsx'
import { TEXTS } from './texts.ts'

const NUMBERS = [
  'cancelDays',
  'refundYears',
  'smallUpTo',
  'smallPercent',
  'largePercent',
  'pointsPercent',
  'extensionMonths',
] as const

type Draft = Record<(typeof NUMBERS)[number] | 'version' | 'effectiveFrom' | 'until' | 'noticeDays', string>

// What a field looks like; the service checks the rest. All others are whole numbers.
const SHAPES: Partial<Record<keyof Draft, RegExp>> = {
  version: /^[a-z0-9][a-z0-9.-]{1,39}$/,
  effectiveFrom: /./,
  until: /^/,
  noticeDays: /^\d{1,3}(\s*,\s*\d{1,3})*$/,
}

function draftOf(newest: RefundPolicy | undefined): Draft {
  const numbers = Object.fromEntries(NUMBERS.map((name) => [name, String(newest?.[name] ?? '')]))
  return {
    ...(numbers as Record<(typeof NUMBERS)[number], string>),
    // A version is never changed, so a new one needs a name and a first day of its own.
    version: '',
    effectiveFrom: '',
    until: '',
    noticeDays: newest?.noticeDays.join(', ') ?? '',
  }
}

// A new version, with the values of the newest one to begin with.
export function PolicySheet({ newest, ...sheet }: SheetProps & { newest: RefundPolicy | undefined }) {
  const texts = useTexts(TEXTS)
  const [draft, setDraft] = useState(() => draftOf(newest))
  const [isChecked, setChecked] = useState(false)
  const isWrong = (name: keyof Draft) => !(SHAPES[name] ?? /^\d+$/).test(draft[name].trim())
  const field = (name: keyof Draft, more: Partial<Parameters<typeof Field>[0]> = {}) => (
    <Field
      key={name}
      label={texts.fields[name]}
      value={draft[name]}
      autoComplete="off"
      {...more}
      onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
      error={isChecked && isWrong(name) ? texts.wrong : undefined}
    />
  )
  return (
    <ActSheet
      {...sheet}
      title={texts.add}
      explain={texts.addWill}
      act={texts.ask}
      check={() => {
        setChecked(true)
        // All fields at once, so that every error shows after one try.
        return !(Object.keys(draft) as (keyof Draft)[]).some(isWrong)
      }}
      run={(reason) =>
        callApi('POST /refund-policies', {
          body: {
            version: draft.version.trim(),
            effectiveFrom: draft.effectiveFrom,
            ...(draft.until ? { until: draft.until } : {}),
            // Every value that the form shows. What is not sent comes from the version in force before the new one, which
            // need not be the newest.
            ...Object.fromEntries(NUMBERS.map((name) => [name, Number(draft[name])])),
            noticeDays: draft.noticeDays.split(',').map(Number),
            reason,
          },
        })
      }
    >
      {field('version', { hint: texts.versionHint, maxLength: 40 })}
      {field('effectiveFrom', { type: 'date' })}
      {field('until', { type: 'date' })}
      {NUMBERS.map((name) => field(name, { inputMode: 'numeric', pattern: '[0-9]*', maxLength: 12 }))}
      {field('noticeDays')}
    </ActSheet>
  )
}
