import type { Names, ReportName } from '#flows/reports/report.ts'
import type { Meter } from '#modules/prepaid/types.ts'

export const REPORT_TITLES: Record<ReportName, Names> = {
  outstanding: { ko: '미상환 잔액과 등록 기준', en: 'Outstanding balance and thresholds' },
  safeguarding: { ko: '별도 관리할 금액과 부족액', en: 'Amount to be safeguarded' },
  'safeguarded-funds': { ko: '별도 관리 자금 기록', en: 'Safeguarded funds on record' },
  refunds: { ko: '환불 내역', en: 'Refunds made' },
  'expiry-notices': { ko: '만료 전 안내', en: 'Notices before expiry' },
  'ci-use': { ko: '연계정보(CI) 이용', en: 'Use of the CI' },
  transactions: { ko: '한 사람의 거래 내역', en: 'Transactions of one person' },
}

export const METER_NAMES: Record<Meter['name'], Names> = {
  balance_average: { ko: '발행잔액 (분기 말 평균)', en: 'Balance, average of quarter ends' },
  issued_last_year: { ko: '연간 총발행액 (직전 사업연도)', en: 'Issued in the last business year' },
  balance_now: { ko: '지금 잔액 (마지막 날)', en: 'Balance on the last day' },
  issued_this_year: { ko: '올해 발행액 (지금까지)', en: 'Issued this year so far' },
}
