import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PartnerLine, PartnerRegistered } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { Note } from '../../kit/note.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { DataTable } from '../shared/data-table.tsx'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { SecretOnce } from '../shared/object/secret-once.tsx'
import { useWords } from '../shared/object/value-words.ts'
import { Page } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { useMay } from '../shared/session.ts'
import { Badge, Moment, Won } from '../shared/values.tsx'

const TEXTS = {
  ko: {
    title: '제휴사',
    asOf: '기준',
    code: '코드',
    name: '이름',
    status: '상태',
    owed: '미수금',
    limit: '한도',
    left: '남은 한도',
    amounts: '상품권 금액',
    empty: '등록한 제휴사가 없습니다. 첫 제휴사를 등록해 주세요.',
    add: '제휴사 등록',
    will: '제휴사와 미수금 계정을 만들고 첫 API 키를 발급합니다. 키는 한 번만 보입니다.',
    creditWaits: '외상 한도는 다른 담당자가 승인하면 적용됩니다.',
    codeHint: '영문자, 숫자, 점, 하이픈, 밑줄. 나중에 바꿀 수 없습니다.',
    missing: '입력해 주세요.',
  },
  en: {
    title: 'Partners',
    asOf: 'as of',
    code: 'Code',
    name: 'Name',
    status: 'Status',
    owed: 'Owes',
    limit: 'Credit limit',
    left: 'Credit left',
    amounts: 'Card amounts',
    empty: 'No partner is registered. Register the first one.',
    add: 'Register a partner',
    will: 'Makes the partner, the account of what it owes, and its first API key. The key is shown once.',
    creditWaits: 'Its credit holds once a second person approves it.',
    codeHint: 'Letters, digits, dots, hyphens and underscores. It cannot be changed later.',
    missing: 'Enter this.',
  },
}

export default function PartnersPage() {
  const texts = useTexts(TEXTS)
  const may = useMay()
  const [open, setOpen] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['partners'],
    queryFn: () => callApi('GET /partners'),
  })
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={6} />
  return (
    <Page
      title={texts.title}
      sub={
        <>
          {texts.asOf} <Moment at={data.now} />
        </>
      }
      actions={
        may('partners.change') && (
          <Button size="small" onClick={() => setOpen(true)}>
            {texts.add}
          </Button>
        )
      }
    >
      <PartnerTable partners={data.partners} />
      <RegisterSheet open={open} onClose={() => setOpen(false)} onDone={refetch} />
    </Page>
  )
}

function PartnerTable({ partners }: { partners: readonly PartnerLine[] }) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  return (
    <DataTable
      caption={texts.title}
      rows={partners}
      keyOf={({ code }) => code}
      empty={texts.empty}
      columns={[
        {
          key: 'code',
          title: texts.code,
          cell: ({ code }) => (
            <ObjectLink kind="partner" id={code}>
              {code}
            </ObjectLink>
          ),
        },
        { key: 'name', title: texts.name, cell: ({ name }) => name },
        {
          key: 'status',
          title: texts.status,
          cell: ({ status }) => <Badge look={status === 'active' ? 'good' : 'warn'}>{words(status)}</Badge>,
        },
        { key: 'owed', title: texts.owed, figure: true, cell: ({ owed }) => <Won amount={owed} /> },
        {
          key: 'limit',
          title: texts.limit,
          figure: true,
          cell: ({ creditLimit }) => <Won amount={creditLimit} />,
        },
        {
          key: 'left',
          title: texts.left,
          figure: true,
          // What was paid ahead is spent like credit. `owed` is below zero then, so it adds to what is left.
          cell: ({ creditLimit, owed }) => <Won amount={creditLimit - owed} />,
        },
        {
          key: 'amounts',
          title: texts.amounts,
          figure: true,
          cell: ({ amountMin, amountMax }) => (
            <>
              <Won amount={amountMin} /> – <Won amount={amountMax} />
            </>
          ),
        },
      ]}
    />
  )
}

interface SheetProps {
  open: boolean
  onClose(): void
  onDone(): void
}

function RegisterSheet({ open, onClose, onDone }: SheetProps) {
  const texts = useTexts(TEXTS)
  const [code, setCode] = useState('')
  const [name, setName] = useState('')
  const [missing, setMissing] = useState(false)
  const [made, setMade] = useState<PartnerRegistered>()
  // The API key is a secret: closing the sheet forgets it.
  function close() {
    setCode('')
    setName('')
    setMade(undefined)
    setMissing(false)
    onClose()
  }
  return (
    <ActSheet
      {...{ open, onDone }}
      onClose={close}
      title={texts.add}
      explain={texts.will}
      act={texts.add}
      withReason={false}
      check={() => {
        const incomplete = code.trim() === '' || name.trim() === ''
        setMissing(incomplete)
        return !incomplete
      }}
      run={async () => {
        const body = { code: code.trim(), terms: { name: name.trim() } }
        setMade(await callApi('POST /partners', { body }))
        return null
      }}
      result={
        made && (
          <>
            {/* Whoever registers a partner sees its first key. In live, credit therefore waits for a second person. */}
            {made.waiting && <Note>{texts.creditWaits}</Note>}
            <SecretOnce secret={made.key} />
          </>
        )
      }
    >
      <Field
        label={texts.code}
        hint={texts.codeHint}
        value={code}
        maxLength={64}
        autoCapitalize="none"
        error={missing && code.trim() === '' ? texts.missing : undefined}
        onChange={(event) => setCode(event.target.value)}
      />
      <Field
        label={texts.name}
        value={name}
        maxLength={200}
        error={missing && name.trim() === '' ? texts.missing : undefined}
        onChange={(event) => setName(event.target.value)}
      />
    </ActSheet>
  )
}
