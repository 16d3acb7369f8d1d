import { useState } from 'react'
import type { PartnerPage, PartnerTermsChanges } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox, Field, SelectField } from '../../kit/field.tsx'
import { useTexts, useWon } from '../../kit/language.tsx'
import { Note } from '../../kit/note.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { Section } from '../shared/page.tsx'
import { useMay } from '../shared/session.ts'
import { CopyId, Facts, Nothing, Won } from '../shared/values.tsx'
import { TEXTS } from './texts.ts'

// What was agreed with the partner.
export function Terms({ partner, onChange }: { partner: PartnerPage; onChange(): void }) {
  const texts = useTexts(TEXTS)
  const may = useMay()
  const [open, setOpen] = useState(false)
  // Each opening begins with the terms as they are then.
  const [times, setTimes] = useState(0)
  function begin() {
    setTimes(times + 1)
    setOpen(true)
  }
  const list = (lines: readonly string[]) => (lines.length > 0 ? lines.join(', ') : <Nothing />)
  return (
    <Section
      title={texts.terms}
      aside={
        may('partners.change') && (
          <Button size="small" look="quiet" onClick={begin}>
            {texts.change}
          </Button>
        )
      }
    >
      <Facts
        facts={[
          { name: texts.code, value: <CopyId id={partner.code} label={texts.code} /> },
          { name: texts.amountMin, value: <Won amount={partner.amountMin} /> },
          { name: texts.amountMax, value: <Won amount={partner.amountMax} /> },
          { name: texts.validityMonths, value: partner.validityMonths },
          { name: texts.creditLimit, value: <Won amount={partner.creditLimit} /> },
          { name: texts.rateLimit, value: partner.rateLimit },
          { name: texts.keyFormat, value: texts[partner.keyFormat] },
          {
            name: texts.keyPattern,
            value: partner.keyPattern ? <code className="font-code">{partner.keyPattern}</code> : <Nothing />,
          },
          { name: texts.networks, value: list(partner.networks) },
          { name: texts.keyless, value: partner.keyless ? texts.yes : texts.no },
          { name: texts.frameAncestors, value: list(partner.frameAncestors) },
          { name: texts.singleUse, value: partner.singleUseHashKeys ? texts.yes : texts.no },
          { name: texts.senderName, value: partner.senderName ?? texts.senderHint },
          { name: texts.messageLanguage, value: partner.messageLanguage },
        ]}
      />
      <TermsSheet
        // The fields keep their own state. A new key throws it away.
        key={times}
        partner={partner}
        open={open}
        onClose={() => setOpen(false)}
        onDone={onChange}
      />
    </Section>
  )
}

interface SheetProps {
  partner: PartnerPage
  open: boolean
  onClose(): void
  onDone(): void
}

const NUMBERS = ['amountMin', 'amountMax', 'validityMonths', 'creditLimit', 'rateLimit'] as const
const AMOUNTS: ReadonlySet<string> = new Set(['amountMin', 'amountMax', 'creditLimit'])
const LISTS = ['networks', 'frameAncestors'] as const

type Draft = Record<
  (typeof NUMBERS)[number] | (typeof LISTS)[number] | 'name' | 'keyPattern' | 'senderName',
  string
> &
  Pick<PartnerPage, 'keyFormat' | 'keyless' | 'singleUseHashKeys' | 'messageLanguage'>

// Fields hold text. Numbers and lists become text here, and turn back when they are sent.
function draftOf(partner: PartnerPage): Draft {
  const { name, keyFormat, keyless, singleUseHashKeys, messageLanguage } = partner
  return {
    ...{ name, keyFormat, keyless, singleUseHashKeys, messageLanguage },
    amountMin: String(partner.amountMin),
    amountMax: String(partner.amountMax),
    validityMonths: String(partner.validityMonths),
    creditLimit: String(partner.creditLimit),
    rateLimit: String(partner.rateLimit),
    keyPattern: partner.keyPattern ?? '',
    senderName: partner.senderName ?? '',
    networks: partner.networks.join(' '),
    frameAncestors: partner.frameAncestors.join(' '),
  }
}

// Only what differs: what another person changed meanwhile stays as it is.
function changesOf(before: Draft, draft: Draft): PartnerTermsChanges {
  const isChanged = (name: keyof Draft) => draft[name] !== before[name]
  const lines = (text: string) => text.split(/\s+/).filter(Boolean)
  return {
    ...Object.fromEntries(NUMBERS.filter(isChanged).map((name) => [name, Number(draft[name])])),
    ...Object.fromEntries(LISTS.filter(isChanged).map((name) => [name, lines(draft[name])])),
    ...(isChanged('name') ? { name: draft.name } : {}),
    ...(isChanged('senderName') ? { senderName: draft.senderName.trim() || null } : {}),
    ...(isChanged('keyFormat') ? { keyFormat: draft.keyFormat } : {}),
    // A pattern means something for custom keys only, and a change to custom keys needs one.
    ...(draft.keyFormat === 'custom' && (isChanged('keyPattern') || isChanged('keyFormat'))
      ? { keyPattern: draft.keyPattern }
      : {}),
    ...(isChanged('keyless') ? { keyless: draft.keyless } : {}),
    ...(isChanged('singleUseHashKeys') ? { singleUseHashKeys: draft.singleUseHashKeys } : {}),
    ...(isChanged('messageLanguage') ? { messageLanguage: draft.messageLanguage } : {}),
  }
}

function TermsSheet({ partner, open, onClose, onDone }: SheetProps) {
  const texts = useTexts(TEXTS)
  const before = draftOf(partner)
  const [draft, setDraft] = useState(before)
  const [nothing, setNothing] = useState(false)
  const changes = changesOf(before, draft)
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  return (
    <ActSheet
      {...{ open, onClose, onDone }}
      title={texts.change}
      explain={texts.changeWill}
      act={texts.save}
      check={() => {
        setNothing(Object.keys(changes).length === 0)
        return Object.keys(changes).length > 0
      }}
      run={(reason) =>
        callApi('POST /partners/:code/terms', { params: { code: partner.code }, body: { changes, reason } })
      }
    >
      {nothing && <Note look="warn">{texts.nothing}</Note>}
      <TermFields draft={draft} set={set} />
    </ActSheet>
  )
}

function TermFields({ draft, set }: { draft: Draft; set(part: Partial<Draft>): void }) {
  const texts = useTexts(TEXTS)
  const won = useWon()
  return (
    <>
      <Field label={texts.name} value={draft.name} onChange={(event) => set({ name: event.target.value })} />
      {NUMBERS.map((name) => (
        <Field
          key={name}
          label={texts[name]}
          inputMode="numeric"
          value={draft[name]}
          // Many zeros are hard to count.
          hint={draft[name] !== '' && AMOUNTS.has(name) ? won(Number(draft[name])) : undefined}
          // A pasted amount has commas or a currency sign.
          onChange={(event) => set({ [name]: event.target.value.replace(/\D/g, '').slice(0, 15) })}
        />
      ))}
      <SelectField
        label={texts.keyFormat}
        value={draft.keyFormat}
        onChange={(event) => set({ keyFormat: event.target.value === 'custom' ? 'custom' : 'uuid' })}
      >
        <option value="uuid">{texts.uuid}</option>
        <option value="custom">{texts.custom}</option>
      </SelectField>
      {draft.keyFormat === 'custom' && (
        <Field
          label={texts.keyPattern}
          value={draft.keyPattern}
          onChange={(event) => set({ keyPattern: event.target.value })}
        />
      )}
      {LISTS.map((name) => (
        <Field
          key={name}
          label={texts[name]}
          value={draft[name]}
          onChange={(event) => set({ [name]: event.target.value })}
        />
      ))}
      <Checkbox
        label={texts.keyless}
        checked={draft.keyless}
        onChange={(event) => set({ keyless: event.target.checked })}
      />
      <Checkbox
        label={texts.singleUse}
        checked={draft.singleUseHashKeys}
        onChange={(event) => set({ singleUseHashKeys: event.target.checked })}
      />
      <Field
        label={texts.senderName}
        hint={texts.senderHint}
        value={draft.senderName}
        onChange={(event) => set({ senderName: event.target.value })}
      />
      <SelectField
        label={texts.messageLanguage}
        value={draft.messageLanguage}
        onChange={(event) => set({ messageLanguage: event.target.value === 'en' ? 'en' : 'ko' })}
      >
        <option value="ko">ko</option>
        <option value="en">en</option>
      </SelectField>
    </>
  )
}
