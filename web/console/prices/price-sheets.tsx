import { useState } from 'react'
import type { ConsoleMetal } from '../../../contract/console.gen.ts'
import { Field } from '../../kit/field.tsx'
import { won } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { bpsOf, METAL_NAMES, percentOf } from './words.ts'

const TEXTS = {
  ko: {
    stopTitle: '거래 멈추기',
    stopExplain: '금과 은의 모든 거래를 바로 멈춥니다. 진행 중인 견적도 끝납니다. 혼자서 할 수 있습니다.',
    resumeTitle: '거래 다시 시작',
    resumeExplain: '금과 은의 거래를 다시 받습니다. 시세와 조건은 그대로입니다.',
    termsTitle: (metal: string) => `${metal} 거래 조건 바꾸기`,
    termsExplain:
      '구매자에게 불리한 변경은 바로 적용됩니다. 유리한 변경(작은 스프레드나 수수료, 긴 시세 유효 시간)은 다른 사람의 승인이 필요합니다. 이미 준 견적은 그대로입니다.',
    spread: '스프레드 (%)',
    fee: '수수료 (%)',
    age: '시세 유효 시간 (초)',
    percentWrong: '0에서 50 사이의 숫자를 입력해 주세요. 소수점 둘째 자리까지 됩니다.',
    ageWrong: '30에서 86,400 사이의 정수를 입력해 주세요.',
    nothing: '바꿀 값을 입력해 주세요.',
    change: '바꾸기',
    from: '지금',
    to: '바뀐 뒤',
    priceTitle: (metal: string) => `${metal} 시세 직접 요청`,
    priceExplain:
      '시세 공급이 멈췄거나 믿을 수 없을 때 씁니다. 다른 사람이 한 시간 안에 승인하면 적용되고, 다음 시세는 이 값과 비교됩니다.',
    price: '1g당 시세 (원)',
    priceWrong: '1에서 100,000,000 사이의 정수를 입력해 주세요.',
    force: '직전 시세와 15% 넘게 달라도 맞는 시세입니다',
    ask: '승인 요청',
  },
  en: {
    stopTitle: 'Stop trading',
    stopExplain: 'All trading of gold and silver stops at once. Quotes under way end. One person is enough.',
    resumeTitle: 'Resume trading',
    resumeExplain: 'Gold and silver are traded again. Prices and terms stay as they are.',
    termsTitle: (metal: string) => `Change the terms of ${metal}`,
    termsExplain:
      'Terms that cost buyers more hold at once. Better ones (a smaller spread or fee, a longer age) wait for a second person. Quotes that were given keep their terms.',
    spread: 'Spread (%)',
    fee: 'Fee (%)',
    age: 'A price counts for (seconds)',
    percentWrong: 'Enter a number from 0 to 50, with up to two decimals.',
    ageWrong: 'Enter a whole number from 30 to 86,400.',
    nothing: 'Enter what should change.',
    change: 'Change',
    from: 'Now',
    to: 'Then',
    priceTitle: (metal: string) => `Ask for a price of ${metal}`,
    priceExplain:
      'For when the feed is down or cannot be believed. It holds when another person approves it within an hour, and the next readings are compared with it.',
    price: 'Price per gram (won)',
    priceWrong: 'Enter a whole number from 1 to 100,000,000.',
    force: 'It is right although it is more than 15% from the last price',
    ask: 'Ask for approval',
  },
}

interface SheetProps {
  onClose(): void
  onDone(): void
}

// Stopping needs neither proof nor a second person: a wrong price gives metal away by the minute.
export function StopSheet({ stopped, ...sheet }: SheetProps & { stopped: boolean }) {
  const texts = useTexts(TEXTS)
  return (
    <ActSheet
      open
      {...sheet}
      title={stopped ? texts.stopTitle : texts.resumeTitle}
      explain={stopped ? texts.stopExplain : texts.resumeExplain}
      act={stopped ? texts.stopTitle : texts.resumeTitle}
      look={stopped ? 'sell' : 'main'}
      run={(reason) =>
        stopped
          ? callApi('POST /trading/stop', { body: { reason } })
          : callApi('POST /trading/resume', { body: { reason } })
      }
    />
  )
}

const MOST_BPS = 5_000

export function TermsSheet({ metal, ...sheet }: SheetProps & { metal: ConsoleMetal }) {
  const texts = useTexts(TEXTS)
  const names = useTexts(METAL_NAMES)
  const { terms } = metal
  const [spread, setSpread] = useState((terms.spreadBps / 100).toFixed(2))
  const [fee, setFee] = useState((terms.feeBps / 100).toFixed(2))
  const [age, setAge] = useState(String(terms.maxAgeSeconds))
  const [checked, setChecked] = useState(false)
  const spreadBps = bpsOf(spread)
  const feeBps = bpsOf(fee)
  // Number() alone would also take `30.5` and `3e2`.
  const maxAgeSeconds = /^\d{2,5}$/.test(age.trim()) ? Number(age) : undefined
  const isBps = (bps: number | undefined) => bps !== undefined && bps <= MOST_BPS
  const isAge = maxAgeSeconds !== undefined && maxAgeSeconds >= 30 && maxAgeSeconds <= 86_400
  const wanted = { spreadBps, feeBps, maxAgeSeconds }
  // Only what differs is sent, so that two changes at once do not undo each other.
  const changes = Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => value !== terms[name as keyof typeof terms]),
  )
  const isNothing = Object.keys(changes).length === 0
  const percent = (bps: number | undefined) => (checked && !isBps(bps) ? texts.percentWrong : undefined)
  return (
    <ActSheet
      open
      {...sheet}
      title={texts.termsTitle(names[metal.metal])}
      explain={texts.termsExplain}
      act={texts.change}
      check={() => {
        setChecked(true)
        return isBps(spreadBps) && isBps(feeBps) && isAge && !isNothing
      }}
      // A wrong digit costs money, so the values stand side by side before the act.
      confirm={<Difference metal={metal} wanted={wanted} />}
      run={(reason) =>
        callApi('POST /prices/:metal/terms', {
          params: { metal: metal.metal },
          body: { ...changes, reason },
        })
      }
    >
      <Field
        label={texts.spread}
        value={spread}
        inputMode="decimal"
        onChange={(event) => setSpread(event.target.value)}
        error={percent(spreadBps) ?? (checked && isNothing ? texts.nothing : undefined)}
      />
      <Field
        label={texts.fee}
        value={fee}
        inputMode="decimal"
        onChange={(event) => setFee(event.target.value)}
        error={percent(feeBps)}
      />
      <Field
        label={texts.age}
        value={age}
        inputMode="numeric"
        onChange={(event) => setAge(event.target.value)}
        error={checked && !isAge ? texts.ageWrong : undefined}
      />
    </ActSheet>
  )
}

interface Wanted {
  spreadBps: number | undefined
  feeBps: number | undefined
  maxAgeSeconds: number | undefined
}

function Difference({ metal: { terms }, wanted }: { metal: ConsoleMetal; wanted: Wanted }) {
  const texts = useTexts(TEXTS)
  const rows = [
    [texts.spread, percentOf(terms.spreadBps), percentOf(wanted.spreadBps ?? terms.spreadBps)],
    [texts.fee, percentOf(terms.feeBps), percentOf(wanted.feeBps ?? terms.feeBps)],
    [texts.age, String(terms.maxAgeSeconds), String(wanted.maxAgeSeconds ?? terms.maxAgeSeconds)],
  ] as const
  return (
    <table className="w-full text-[0.9375rem]">
      <thead>
        <tr className="text-sm text-sub">
          {/* A header cell needs a name, also above the names of the rows. */}
          <th scope="col" className="text-start font-medium" aria-label={texts.change} />
          <th scope="col" className="text-end font-medium">
            {texts.from}
          </th>
          <th scope="col" className="text-end font-medium">
            {texts.to}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, before, after]) => (
          <tr key={name} className="border-t border-line">
            <th scope="row" className="py-1.5 text-start font-normal">
              {name}
            </th>
            <td className="text-end tabular-nums">{before}</td>
            <td className={`text-end tabular-nums ${before === after ? '' : 'font-bold'}`}>{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function PriceSheet({ metal, ...sheet }: SheetProps & { metal: ConsoleMetal }) {
  const texts = useTexts(TEXTS)
  const names = useTexts(METAL_NAMES)
  const { language } = useLanguage()
  const [typed, setTyped] = useState('')
  // Far from the last price, a number is taken for a typing error unless the person insists (decisions/0034).
  const [force, setForce] = useState(false)
  const [checked, setChecked] = useState(false)
  // A pasted price may have commas.
  const text = typed.replaceAll(',', '').trim()
  const wonPerGram = /^\d{1,9}$/.test(text) ? Number(text) : 0
  // The limits of the service, so that a slip is seen before anybody is asked.
  const isPrice = wonPerGram >= 1 && wonPerGram <= 100_000_000
  return (
    <ActSheet
      open
      {...sheet}
      title={texts.priceTitle(names[metal.metal])}
      explain={texts.priceExplain}
      act={texts.ask}
      check={() => {
        setChecked(true)
        return isPrice
      }}
      confirm={
        <p>
          {names[metal.metal]}: {metal.price ? won(metal.price.reference, language) : '–'} →{' '}
          <strong>{won(wonPerGram, language)}</strong>
        </p>
      }
      run={(reason) =>
        callApi('POST /prices/:metal/price', {
          params: { metal: metal.metal },
          body: { wonPerGram, force, reason },
        })
      }
    >
      <Field
        label={texts.price}
        value={typed}
        inputMode="numeric"
        onChange={(event) => setTyped(event.target.value)}
        error={checked && !isPrice ? texts.priceWrong : undefined}
      />
      <label className="flex items-start gap-2 text-[0.9375rem]">
        <input
          type="checkbox"
          checked={force}
          onChange={(event) => setForce(event.target.checked)}
          className="mt-1 size-4"
        />
        {texts.force}
      </label>
    </ActSheet>
  )
}
