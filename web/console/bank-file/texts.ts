import type { Language } from '../../kit/language.tsx'
import type { Refusal } from '../shared/api/refusal.ts'

// Why a file is not read. Nothing is written then.
const REASONS: Record<Language, Record<string, string>> = {
  ko: {
    file_too_large: '파일이 너무 큽니다.',
    encoding_unknown: 'UTF-8, CP949, UTF-16 중 어느 것도 아닌 파일입니다.',
    quote_open: '끝나지 않은 따옴표가 있습니다.',
    columns_missing: '날짜, 입금액, 입금자 열의 이름이 있는 줄이 없습니다 (거래일시, 입금액, 적요).',
    amount_unreadable: '입금액이 원 단위의 정수가 아닙니다.',
    date_unreadable: '날짜를 읽을 수 없습니다.',
    other_currency: '다른 통화의 금액입니다. 원화만 기록합니다.',
    totals_differ: '합계가 입금액의 합과 다릅니다.',
    file_empty: '파일에 입금이 없습니다.',
  },
  en: {
    file_too_large: 'The file is too large.',
    encoding_unknown: 'The file is neither UTF-8 nor CP949 nor UTF-16.',
    quote_open: 'A quote in the file never ends.',
    columns_missing:
      'The file has no line with the names of a date, a deposit and a payer column (거래일시, 입금액, 적요).',
    amount_unreadable: 'The deposit is no whole number of won.',
    date_unreadable: 'The date cannot be read.',
    other_currency: 'The amount is in another currency. Only won are booked.',
    totals_differ: 'The total is not the sum of the deposits above it.',
    file_empty: 'The file has no deposit.',
  },
}

// Undefined: it is not about the file. A detail is such as `line/7 amount_unreadable`.
export function sayFileRefusal({ details }: Refusal, language: Language): string | undefined {
  for (const detail of details) {
    // Only a refused file names a line or a code of this table. Other refusals get the usual words.
    const [, line, reason] = /^(?:#|line\/(\d+)) (\w+)$/.exec(detail) ?? []
    const said = reason && REASONS[language][reason]
    if (said)
      return line === undefined ? said : `${said} ${language === 'ko' ? `(${line}행)` : `(line ${line})`}`
  }
  return undefined
}
