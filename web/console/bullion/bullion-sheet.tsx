import { useState } from 'react'
import { Field, Segments } from '../../kit/field.tsx'
import { useTexts } from '../../kit/language.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'

const TEXTS = {
  ko: {
    title: '실물 매매 등록',
    will: '회사가 사거나 판 실물을 기록해 달라고 요청합니다. 다른 사람이 승인하면 장부에 남습니다.',
    act: '승인 요청',
    side: '구분',
    sides: { buy: '구매', sell: '판매' },
    metal: '금속',
    metals: { XAU: '금', XAG: '은' },
    grams: '중량 (g)',
    gramsWrong: '소수점 넷째 자리까지의 숫자를 입력해 주세요.',
    won: '금액 (원, 부가세 제외)',
    wonWrong: '1 이상의 정수를 입력해 주세요.',
    reference: '거래 번호',
    referenceHint: '거래처 계산서의 번호입니다. 번호마다 한 번만 기록됩니다.',
    missing: '입력해 주세요.',
  },
  en: {
    title: 'Record a bullion trade',
    will: 'Asks to record bullion that the house bought or sold. It is booked when another person approves it.',
    act: 'Ask for approval',
    side: 'Side',
    sides: { buy: 'Bought', sell: 'Sold' },
    metal: 'Metal',
    metals: { XAU: 'Gold', XAG: 'Silver' },
    grams: 'Weight (g)',
    gramsWrong: 'Enter a number with up to four places.',
    won: 'Won, without VAT',
    wonWrong: 'Enter a whole number from 1.',
    reference: 'Reference',
    referenceHint: 'As on the dealer’s invoice. Each is booked once.',
    missing: 'Enter this.',
  },
}

const SIDES = ['buy', 'sell'] as const
const METALS = ['XAU', 'XAG'] as const
type Side = (typeof SIDES)[number]
type Metal = (typeof METALS)[number]

export function BullionSheet({ onClose, onDone }: { onClose(): void; onDone(): void }) {
  const texts = useTexts(TEXTS)
  const [side, setSide] = useState<Side>('buy')
  const [metal, setMetal] = useState<Metal>('XAU')
  const [grams, setGrams] = useState('')
  const [won, setWon] = useState('')
  const [reference, setReference] = useState('')
  const [shown, setShown] = useState(false)
  // The ledger counts metal in units of 0.0001 g.
  const isGrams = /^\d{1,9}(?:\.\d{1,4})?$/.test(grams)
  // 15 digits are exact as a number of JavaScript.
  const isWon = /^[1-9]\d{0,14}$/.test(won)
  // A reference is booked once, so the same invoice cannot be booked twice.
  const isNamed = reference.trim() !== ''
  return (
    <ActSheet
      open
      {...{ onClose, onDone }}
      title={texts.title}
      explain={texts.will}
      act={texts.act}
      check={() => {
        setShown(true)
        return isGrams && isWon && isNamed
      }}
      run={(reason) =>
        callApi('POST /bullion', {
          body: { side, metal, grams, won: Number(won), reference: reference.trim(), reason },
        })
      }
    >
      <Segments<Side>
        legend={texts.side}
        value={side}
        options={SIDES.map((value) => ({ value, label: texts.sides[value] }))}
        onChange={setSide}
      />
      <Segments<Metal>
        legend={texts.metal}
        value={metal}
        options={METALS.map((value) => ({ value, label: texts.metals[value] }))}
        onChange={setMetal}
      />
      <Field
        label={texts.grams}
        value={grams}
        inputMode="decimal"
        maxLength={14}
        error={shown && !isGrams ? texts.gramsWrong : undefined}
        onChange={(event) => setGrams(event.target.value)}
      />
      <Field
        label={texts.won}
        value={won}
        inputMode="numeric"
        maxLength={15}
        error={shown && !isWon ? texts.wonWrong : undefined}
        onChange={(event) => setWon(event.target.value)}
      />
      <Field
        label={texts.reference}
        hint={texts.referenceHint}
        value={reference}
        maxLength={100}
        error={shown && !isNamed ? texts.missing : undefined}
        onChange={(event) => setReference(event.target.value)}
      />
    </ActSheet>
  )
}
