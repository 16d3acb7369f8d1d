import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { grams, withCommas } from '../../kit/format.ts'
import { type Texts, useLanguage, useTexts } from '../../kit/language.tsx'
import { useWords } from '../shared/object/value-words.ts'

export type Asset = 'KRW_POINT' | 'KRW' | 'XAU' | 'XAG'

// With the unit in which its accounts are kept.
const ASSETS: Texts<Record<string, string>> = {
  ko: { KRW_POINT: '포인트와 상품권 (원)', KRW: '원화 (원)', XAU: '금 (g)', XAG: '은 (g)' },
  en: { KRW_POINT: 'Points and cards (won)', KRW: 'Won', XAU: 'Gold (g)', XAG: 'Silver (g)' },
}

export function useAssetName(): (asset: string) => string {
  const names = useTexts(ASSETS)
  return (asset) => names[asset] ?? asset
}

const isMetal = (asset: string) => asset === 'XAU' || asset === 'XAG'

// Exact: amounts come as text. Nothing in place of zero, so that the eye finds what there is.
export function Amount({ asset, amount, zero = true }: { asset: string; amount: string; zero?: boolean }) {
  const { language } = useLanguage()
  const isZero = /^-?0(?:\.0+)?$/.test(amount)
  if (isZero && !zero) return null
  const sign = amount.startsWith('-') ? '−' : ''
  const size = amount.replace('-', '')
  const shown = isMetal(asset)
    ? grams(size)
    : language === 'ko'
      ? `${withCommas(size)}원`
      : `₩${withCommas(size)}`
  return (
    <span className="whitespace-nowrap">
      {sign}
      {shown}
    </span>
  )
}

export interface RowsQuestion {
  day?: string | undefined
  at?: string | undefined
  account?: string | undefined
  asset?: string | undefined
  kind?: string | undefined
  partner?: string | undefined
  belongsTo?: string | undefined
}

// What is not asked for is not in the address.
export function asked<Question extends object>(question: Question): Asked<Question> {
  // An empty text asks for nothing.
  return Object.fromEntries(Object.entries(question).filter(([, value]) => value)) as Asked<Question>
}

// The compiler forbids an explicit undefined (exactOptionalPropertyTypes), so such keys become optional.
type Asked<Question> = {
  [Key in keyof Question as undefined extends Question[Key] ? never : Key]: Question[Key]
} & {
  [Key in keyof Question as undefined extends Question[Key] ? Key : never]?: Exclude<Question[Key], undefined>
}

const LINK = 'text-link underline decoration-line underline-offset-2 hover:decoration-current'

// Every figure of the books leads to the transfers behind it.
export function ToRows({ question, children }: { question: RowsQuestion; children: ReactNode }) {
  return (
    <Link to="/book-rows" search={asked(question)} className={LINK}>
      {children}
    </Link>
  )
}

interface AccountPlace {
  account: string
  asset: string
  partner: string | null
  at?: string | undefined
}

export function ToAccount({ account, asset, partner, at }: AccountPlace) {
  const words = useWords()
  return (
    <Link
      to="/book-account"
      search={asked({ account, asset, partner: partner ?? undefined, at })}
      className={LINK}
    >
      {words(account)}
      {partner && ` · ${partner}`}
    </Link>
  )
}
