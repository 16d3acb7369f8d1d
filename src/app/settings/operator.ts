import { resolve } from 'node:path'
import { isBusinessNumber } from '#modules/operator/rules.ts'
import type { Languages, Operator } from '#modules/operator/types.ts'
import type { Mode, SettingSource } from './setting-source.ts'

// Who runs the service, as its pages have to say. Read by config.ts.
export interface OperatorSettings {
  operator: Languages<Operator>
  // Required settings that were not given. Live serves nothing until there are none; a sandbox uses samples.
  missing: readonly string[]
  isSample: boolean
  // Whether the phone number is the operator's own: a message may name it.
  phone: string | undefined
  // The folder of the operator's own terms, if not ours.
  termsDir: string | undefined
}

type Field = keyof Operator

// They are printed into pages and statements: no markup, no line breaks.
const ONE_LINE = /^[^\p{Cc}<>]{1,200}$/u
const SETTINGS: Record<Field, { name: string; shape?: RegExp; rule?: string; sample: Languages<string> }> = {
  name: { name: 'OPERATOR_NAME', sample: { ko: '(예시) 인곳 주식회사', en: '(sample) Ingot Co., Ltd.' } },
  representative: {
    name: 'OPERATOR_REPRESENTATIVE',
    sample: { ko: '(예시) 김대표', en: '(sample) Kim Daepyo' },
  },
  businessNumber: { name: 'OPERATOR_BUSINESS_NUMBER', sample: { ko: '123-45-67891', en: '123-45-67891' } },
  mailOrderNumber: {
    name: 'OPERATOR_MAIL_ORDER_NUMBER',
    sample: { ko: '(예시) 제2026-서울중구-0000호', en: '(sample) 2026-Seoul Jung-gu-0000' },
  },
  financeNumber: { name: 'OPERATOR_FINANCE_NUMBER', sample: { ko: '', en: '' } },
  address: {
    name: 'OPERATOR_ADDRESS',
    sample: { ko: '(예시) 서울특별시 중구 세종대로 1', en: '(sample) 1 Sejong-daero, Jung-gu, Seoul' },
  },
  phone: {
    name: 'OPERATOR_PHONE',
    shape: /^\+?[\d-]{8,20}$/,
    rule: 'is not a telephone number',
    sample: { ko: '02-0000-0000', en: '02-0000-0000' },
  },
  email: {
    name: 'OPERATOR_EMAIL',
    shape: /^[^\s@<>]{1,64}@[^\s@<>]{1,190}$/,
    rule: 'is not an e-mail address',
    sample: { ko: 'help@ingot.example', en: 'help@ingot.example' },
  },
  privacyOfficer: {
    name: 'OPERATOR_PRIVACY_OFFICER',
    sample: { ko: '(예시) 이책임', en: '(sample) Lee Chaegim' },
  },
  host: { name: 'OPERATOR_HOST', sample: { ko: '(예시) 인곳 클라우드', en: '(sample) Ingot Cloud' } },
  custodian: {
    name: 'OPERATOR_CUSTODIAN',
    sample: { ko: '(예시) 금은보관 주식회사', en: '(sample) Metal Vault Co., Ltd.' },
  },
  protection: {
    name: 'OPERATOR_PROTECTION',
    shape: /^[^\p{Cc}<>]{1,1000}$/u,
    rule: 'is not one line of at most 1,000 characters without < and >',
    sample: {
      ko: '(예시) 연습용이라 실제 돈이 없어요. 실제 서비스에서는 여기에 포인트와 예치금을 어떻게 보호하는지 적어요.',
      en: '(sample) This is a sandbox without real money. In a live service, this says how points and deposits are protected.',
    },
  },
}
const FIELDS = Object.keys(SETTINGS) as Field[]
export const OPERATOR_FIELDS: readonly string[] = FIELDS

// Each may have an English one beside it, OPERATOR_NAME_EN, for the English pages.
export function readOperator(source: SettingSource, mode: Mode): OperatorSettings {
  const given = FIELDS.map((field) => [field, readBoth(source, field)] as const)
  const missing = given.flatMap(([field, text]) =>
    text === undefined && field !== 'financeNumber' ? [SETTINGS[field].name] : [],
  )
  const of = (language: 'ko' | 'en') =>
    Object.fromEntries(
      given.map(([field, text]) => [field, (text ?? SETTINGS[field].sample)[language] || undefined]),
    ) as unknown as Operator
  const termsDir = source.get('OPERATOR_TERMS_DIR')
  return {
    operator: { ko: of('ko'), en: of('en') },
    missing,
    isSample: mode === 'sandbox' && missing.length > 0,
    phone: source.get(SETTINGS.phone.name),
    termsDir: termsDir === undefined ? undefined : resolve(termsDir),
  }
}

function readBoth(source: SettingSource, field: Field): Languages<string> | undefined {
  const {
    name,
    shape = ONE_LINE,
    rule = 'is not one line of at most 200 characters without < and >',
  } = SETTINGS[field]
  const [ko, en] = [name, `${name}_EN`].map((one) => {
    const text = source.get(one)
    if (text !== undefined && !shape.test(text)) source.refuse(one, rule)
    return text
  })
  if (field === 'businessNumber' && ko !== undefined && !isBusinessNumber(ko)) {
    source.refuse(
      name,
      'is not a business registration number: ten digits, the last of which is a check digit',
    )
  }
  if (ko !== undefined) return { ko, en: en ?? ko }
  if (en !== undefined) source.refuse(name, `is required by ${name}_EN`)
  return undefined
}
