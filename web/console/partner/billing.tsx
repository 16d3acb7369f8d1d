import { useState } from 'react'
import type { CommissionBase, PartnerPage } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Field, SelectField } from '../../kit/field.tsx'
import { useTexts } from '../../kit/language.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { DataTable } from '../shared/data-table.tsx'
import type { SheetProps } from '../shared/object/preview-sheet.tsx'
import { Section } from '../shared/page.tsx'
import { useMay } from '../shared/session.ts'
import { Facts, Nothing } from '../shared/values.tsx'

const TEXTS = {
  ko: {
    billing: '정산 정보',
    legalName: '회사 이름',
    businessNumber: '사업자등록번호',
    representative: '대표자',
    address: '주소',
    rates: '수수료율',
    rate: '수수료율',
    percent: '수수료율 (%)',
    base: '기준',
    issued: '발행액',
    used: '사용액',
    from: '적용 시작일 (서울)',
    noRates: '정한 수수료율이 없습니다. 정산서에 수수료가 붙지 않습니다.',
    company: '회사 정보 바꾸기',
    companyWill: '다음에 마감하는 정산서부터 쓰입니다. 마감한 정산서는 바뀌지 않습니다.',
    save: '바꾸기',
    setRate: '수수료율 정하기',
    rateWill: '이날부터 새 수수료율을 적용합니다. 다른 사람이 승인하면 정해집니다.',
    ask: '수수료율 요청',
    wrong: '0에서 100 사이의 수를 소수점 두 자리까지 입력해 주세요.',
    fromMissing: '날짜를 골라 주세요.',
  },
  en: {
    billing: 'Billing',
    legalName: 'Company name',
    businessNumber: 'Business number',
    representative: 'Representative',
    address: 'Address',
    rates: 'Commission',
    rate: 'Commission',
    percent: 'Commission (%)',
    base: 'Of',
    issued: 'cards issued',
    used: 'cards used',
    from: 'From (Seoul)',
    noRates: 'No commission is set. Statements charge none.',
    company: 'Change company details',
    companyWill: 'They are used from the next statement on. Closed statements stay as they are.',
    save: 'Change',
    setRate: 'Set the commission',
    rateWill: 'From this day on the new commission holds. It is set when another person approves it.',
    ask: 'Ask for it',
    wrong: 'Enter a number from 0 to 100, with two decimals at most.',
    fromMissing: 'Choose a day.',
  },
}

const LEGAL = ['legalName', 'businessNumber', 'representative', 'address'] as const

interface Props {
  partner: PartnerPage
  onChange(): void
}

// The partner as a company, and what it is charged for the service.
export function Billing({ partner, onChange }: Props) {
  const texts = useTexts(TEXTS)
  const may = useMay()
  const [open, setOpen] = useState<'company' | 'rate'>()
  const close = () => setOpen(undefined)
  return (
    <Section
      title={texts.billing}
      aside={
        may('partners.change') && (
          <span className="flex flex-wrap gap-2">
            <Button size="small" look="quiet" onClick={() => setOpen('company')}>
              {texts.company}
            </Button>
            <Button size="small" look="quiet" onClick={() => setOpen('rate')}>
              {texts.setRate}
            </Button>
          </span>
        )
      }
    >
      <Facts
        facts={LEGAL.map((name) => ({ name: texts[name], value: partner.legal?.[name] ?? <Nothing /> }))}
      />
      <DataTable
        caption={texts.rates}
        rows={partner.rates}
        keyOf={({ effectiveFrom }) => effectiveFrom}
        empty={texts.noRates}
        columns={[
          { key: 'from', title: texts.from, cell: ({ effectiveFrom }) => effectiveFrom },
          { key: 'rate', title: texts.rate, figure: true, cell: ({ bps }) => `${(bps / 100).toFixed(2)}%` },
          { key: 'base', title: texts.base, cell: ({ base }) => texts[base] },
        ]}
      />
      {/* Mounted on opening, so that each opening begins with the partner as it is then. */}
      {open === 'company' && <CompanySheet partner={partner} open onClose={close} onDone={onChange} />}
      {open === 'rate' && <RateSheet partner={partner} open onClose={close} onDone={onChange} />}
    </Section>
  )
}

// No figure depends on these details, so one person is enough (decisions/0083).
function CompanySheet({ partner, ...sheet }: SheetProps & { partner: PartnerPage }) {
  const texts = useTexts(TEXTS)
  // Only what was typed is sent, so a change by somebody else stays.
  const [draft, setDraft] = useState<Record<string, string>>({})
  return (
    <ActSheet
      {...sheet}
      title={texts.company}
      explain={texts.companyWill}
      act={texts.save}
      run={(reason) =>
        callApi('POST /partners/:code/billing', {
          params: { code: partner.code },
          body: { legal: draft, reason },
        })
      }
    >
      {LEGAL.map((name) => (
        <Field
          key={name}
          label={texts[name]}
          value={draft[name] ?? partner.legal?.[name] ?? ''}
          maxLength={300}
          autoComplete="off"
          onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
        />
      ))}
    </ActSheet>
  )
}

// A higher commission takes from the partner, a lower one from the house: it takes two people (decisions/0083).
function RateSheet({ partner, ...sheet }: SheetProps & { partner: PartnerPage }) {
  const texts = useTexts(TEXTS)
  const [percent, setPercent] = useState('')
  const [base, setBase] = useState<CommissionBase>(partner.rates.at(-1)?.base ?? 'issued')
  const [from, setFrom] = useState('')
  const [isChecked, setChecked] = useState(false)
  const isRight = /^\d{1,3}(\.\d{1,2})?$/.test(percent) && Number(percent) <= 100
  return (
    <ActSheet
      {...sheet}
      title={texts.setRate}
      explain={texts.rateWill}
      act={texts.ask}
      check={() => {
        setChecked(true)
        return isRight && from !== ''
      }}
      run={(reason) =>
        callApi('POST /partners/:code/billing', {
          params: { code: partner.code },
          // 1.1 * 100 is 110.00000000000001 in binary, so the result is rounded.
          body: { rate: { effectiveFrom: from, bps: Math.round(Number(percent) * 100), base }, reason },
        })
      }
    >
      <Field
        label={texts.percent}
        inputMode="decimal"
        value={percent}
        maxLength={6}
        autoComplete="off"
        onChange={(event) => setPercent(event.target.value.trim())}
        error={isChecked && !isRight ? texts.wrong : undefined}
      />
      <SelectField
        label={texts.base}
        value={base}
        // The browser gives any text, the contract takes these two.
        onChange={(event) => setBase(event.target.value === 'used' ? 'used' : 'issued')}
      >
        <option value="issued">{texts.issued}</option>
        <option value="used">{texts.used}</option>
      </SelectField>
      <Field
        label={texts.from}
        type="date"
        value={from}
        onChange={(event) => setFrom(event.target.value)}
        error={isChecked && from === '' ? texts.fromMissing : undefined}
      />
    </ActSheet>
  )
}
