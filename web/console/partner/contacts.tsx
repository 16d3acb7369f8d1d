import { useState } from 'react'
import type { PartnerContact, PartnerPage } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { useTexts } from '../../kit/language.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { DataTable } from '../shared/data-table.tsx'
import type { SheetProps } from '../shared/object/preview-sheet.tsx'
import { Section } from '../shared/page.tsx'
import { useMay } from '../shared/session.ts'

const TEXTS = {
  ko: {
    contacts: '연락처',
    name: '이름',
    phone: '휴대전화',
    email: '이메일',
    none: '연락처가 없습니다. 한도에 가까워져도 알림을 보낼 곳이 없습니다.',
    add: '연락처 추가',
    addWill:
      '휴대전화가 있으면 신용 한도의 80%와 95%를 쓸 때 문자를 보냅니다. 등록한 뒤에는 가려서 보입니다.',
    missing: '이름과, 휴대전화나 이메일을 입력해 주세요.',
    remove: '지우기',
    removeWill: (name: string) => `${name} 연락처의 정보를 지웁니다. 되돌릴 수 없습니다.`,
  },
  en: {
    contacts: 'Contacts',
    name: 'Name',
    phone: 'Mobile phone',
    email: 'Email',
    none: 'No contact. Nobody is told when the partner comes near its credit limit.',
    add: 'Add a contact',
    addWill:
      'With a phone, a text message is sent when 80% and 95% of the credit limit are used. Once saved it is shown masked.',
    missing: 'Enter a name, and a phone or an email address.',
    remove: 'Remove',
    removeWill: (name: string) => `Erases what is known of ${name}. It cannot be undone.`,
  },
}

interface Props {
  partner: PartnerPage
  onChange(): void
}

// Who is told at the partner.
export function Contacts({ partner, onChange }: Props) {
  const texts = useTexts(TEXTS)
  const mayChange = useMay()('partners.change')
  const [adding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<PartnerContact>()
  const params = { code: partner.code }
  return (
    <Section
      title={texts.contacts}
      aside={
        mayChange && (
          <Button size="small" look="quiet" onClick={() => setAdding(true)}>
            {texts.add}
          </Button>
        )
      }
    >
      <DataTable
        caption={texts.contacts}
        rows={partner.contacts}
        keyOf={({ id }) => id}
        empty={texts.none}
        columns={[
          { key: 'name', title: texts.name, cell: ({ name }) => name },
          { key: 'phone', title: texts.phone, cell: ({ phone }) => phone ?? '–' },
          { key: 'email', title: texts.email, cell: ({ email }) => email ?? '–' },
          {
            key: 'remove',
            title: texts.remove,
            cell: (contact) =>
              mayChange && (
                <Button size="small" look="quiet" onClick={() => setRemoved(contact)}>
                  {texts.remove}
                </Button>
              ),
          },
        ]}
      />
      {/* Mounted on opening, so that nothing of the last contact is left in the fields. */}
      {adding && <AddSheet code={partner.code} open onClose={() => setAdding(false)} onDone={onChange} />}
      <ActSheet
        open={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        onDone={onChange}
        title={texts.remove}
        look="sell"
        explain={removed && texts.removeWill(removed.name)}
        act={texts.remove}
        run={async (reason) => {
          // The sheet is open only while a contact is chosen.
          const contactId = removed!.id
          await callApi('POST /partners/:code/contacts/:contactId/remove', {
            params: { ...params, contactId },
            body: { reason },
          })
          return null
        }}
      />
    </Section>
  )
}

function AddSheet({ code, ...sheet }: SheetProps & { code: string }) {
  const texts = useTexts(TEXTS)
  const [draft, setDraft] = useState({ name: '', phone: '', email: '' })
  const [isChecked, setChecked] = useState(false)
  // A contact without a phone or an address could not be told anything.
  const isMissing = draft.name.trim() === '' || (draft.phone + draft.email).trim() === ''
  return (
    <ActSheet
      {...sheet}
      title={texts.add}
      explain={texts.addWill}
      act={texts.add}
      check={() => {
        setChecked(true)
        return !isMissing
      }}
      run={async (reason) => {
        const body = {
          name: draft.name.trim(),
          phone: draft.phone.trim() || null,
          email: draft.email.trim() || null,
          reason,
        }
        await callApi('POST /partners/:code/contacts', { params: { code }, body })
        return null
      }}
    >
      {(['name', 'phone', 'email'] as const).map((name) => (
        <Field
          key={name}
          label={texts[name]}
          value={draft[name]}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
          // One sentence covers the three fields, so it stands at the first.
          error={isChecked && isMissing && name === 'name' ? texts.missing : undefined}
        />
      ))}
    </ActSheet>
  )
}
