import { useState } from 'react'
import type { PartnerPage, TemplateIdOf } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Field, SelectField } from '../../kit/field.tsx'
import { useTexts } from '../../kit/language.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { DataTable } from '../shared/data-table.tsx'
import { useWords } from '../shared/object/value-words.ts'
import { Section } from '../shared/page.tsx'
import { useMay } from '../shared/session.ts'
import { CopyId } from '../shared/values.tsx'
import { TEXTS } from './texts.ts'

// The ids under which providers know the texts of messages.
// Kakao approves each text, so an Alimtalk needs the id under which the provider registered it.
export function Templates({ partner, onChange }: { partner: PartnerPage; onChange(): void }) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  const may = useMay()
  const [open, setOpen] = useState(false)
  return (
    <Section
      title={texts.templates}
      aside={
        may('partners.change') ? (
          <Button size="small" look="quiet" onClick={() => setOpen(true)}>
            {texts.setTemplate}
          </Button>
        ) : (
          texts.templatesHint
        )
      }
    >
      <DataTable
        caption={texts.templates}
        rows={partner.templates}
        // A row has no id of its own. These parts together name it.
        keyOf={(use) => [use.partner, use.provider, use.purpose, use.language, use.version].join(' ')}
        empty={texts.noTemplates}
        columns={[
          {
            key: 'for',
            title: texts.scope,
            cell: (use) => (use.partner === null ? texts.common : texts.own),
          },
          { key: 'provider', title: texts.provider, cell: ({ provider }) => provider },
          { key: 'purpose', title: texts.purpose, cell: ({ purpose }) => words(purpose) },
          { key: 'language', title: texts.language, cell: ({ language }) => language },
          { key: 'version', title: texts.version, figure: true, cell: ({ version }) => version },
          {
            key: 'id',
            title: texts.templateId,
            cell: ({ templateId }) => <CopyId id={templateId} label={texts.templateId} />,
          },
        ]}
      />
      <TemplateSheet code={partner.code} open={open} onClose={() => setOpen(false)} onDone={onChange} />
    </Section>
  )
}

interface SheetProps {
  code: string
  open: boolean
  onClose(): void
  onDone(): void
}

const FIRST: TemplateIdOf = {
  provider: 'solapi',
  purpose: 'gift',
  language: 'ko',
  version: 2,
  templateId: '',
}
const CHOICES = {
  provider: ['solapi', 'nhn'],
  purpose: ['gift', 'reminder', 'cancellation'],
  language: ['ko', 'en'],
} as const

function TemplateSheet({ code, open, onClose, onDone }: SheetProps) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  const [use, setUse] = useState(FIRST)
  return (
    <ActSheet
      {...{ open, onClose, onDone }}
      title={texts.setTemplate}
      explain={texts.templateWill}
      act={texts.setTemplate}
      withReason={false}
      run={async () => {
        // An empty id removes the registration.
        const body = { ...use, templateId: use.templateId || null }
        await callApi('POST /partners/:code/templates', { params: { code }, body })
        return null
      }}
    >
      {(['provider', 'purpose', 'language'] as const).map((name) => (
        <SelectField
          key={name}
          label={texts[name]}
          value={use[name]}
          onChange={(event) => setUse({ ...use, [name]: event.target.value })}
        >
          {CHOICES[name].map((choice) => (
            <option key={choice} value={choice}>
              {words(choice)}
            </option>
          ))}
        </SelectField>
      ))}
      <Field
        label={texts.version}
        inputMode="numeric"
        value={String(use.version)}
        onChange={(event) => setUse({ ...use, version: Number(event.target.value.replace(/\D/g, '')) || 1 })}
      />
      <Field
        label={texts.templateId}
        value={use.templateId ?? ''}
        maxLength={100}
        onChange={(event) => setUse({ ...use, templateId: event.target.value.trim() })}
      />
    </ActSheet>
  )
}
