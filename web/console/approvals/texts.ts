import type { ChangeKind, ChangeStatus, SeenOfAccount } from '../../../contract/console.gen.ts'
import type { Texts } from '../../kit/language.tsx'
import { ROLE_NAMES } from '../shared/role-names.ts'

// What each kind of request asks for.
export const KIND_NAMES: Texts<Record<ChangeKind, string>> = {
  ko: {
    price: '수동 시세',
    terms: '거래 조건 완화',
    credit_limit: '제휴사 한도 증액',
    payment: '제휴사 입금',
    payment_reversal: '제휴사 입금 취소',
    adjustment: '잔액 정정',
    card_void: '고액 상품권 취소',
    refund: '만료 상품권 환불',
    refund_policy: '환불 정책 변경',
    staff_role: '직원 역할 변경',
    bullion: '실물 구매·판매',
    commission_rate: '제휴사 수수료율',
    safeguard: '별도 관리 자금 기록',
  },
  en: {
    price: 'Price by hand',
    terms: 'Better trading terms',
    credit_limit: 'More credit',
    payment: 'Partner payment',
    payment_reversal: 'Reversal of a payment',
    adjustment: 'Correction of a balance',
    card_void: 'Void of a large card',
    refund: 'Refund of an expired card',
    refund_policy: 'New refund policy',
    staff_role: 'Another role',
    bullion: 'Bullion of the house',
    commission_rate: 'Commission of a partner',
    safeguard: 'Safeguarded funds',
  },
}

export const STATUS_NAMES: Texts<Record<ChangeStatus, string>> = {
  ko: { waiting: '대기', executed: '승인·실행', refused: '거절', expired: '기한 지남' },
  en: { waiting: 'waiting', executed: 'approved and done', refused: 'refused', expired: 'expired' },
}

// By the stable name of the field.
export const FIELD_NAMES: Texts<Record<string, string>> = {
  ko: {
    wonPerGram: '1g 가격',
    force: '직전 시세와 큰 차이',
    spreadBps: '스프레드',
    feeBps: '수수료',
    maxAgeSeconds: '시세 유효 시간',
    creditLimit: '신용 한도',
    owed: '미수금',
    won: '입금액',
    reference: '입금 번호',
    prepay: '선입금',
    statements: '납부할 정산서',
    points: '포인트',
    deposit: '예치금',
    amount: '변동',
    status: '상태',
    cardAmount: '상품권 금액',
    deduction: '공제',
    refunded: '환불액',
    payout: '지급 방법',
    refundPolicy: '환불 정책',
    member: '회원',
    role: '역할',
    heldGrams: '회사 보유량',
    bullionWon: '거래 금액',
    bullionReference: '거래 번호',
    commissionBps: '수수료율',
    commissionBase: '수수료 기준',
    commissionFrom: '적용 시작일',
    safeguarded: '별도 관리 금액',
    asOf: '기준일',
    safeguardMethod: '관리 방법',
    safeguardReference: '증빙 번호',
  },
  en: {
    wonPerGram: 'Price of a gram',
    force: 'Far from the last price',
    spreadBps: 'Spread',
    feeBps: 'Fee',
    maxAgeSeconds: 'Age of a price',
    creditLimit: 'Credit limit',
    role: 'Role',
    owed: 'What the partner owes',
    won: 'Payment',
    reference: 'Reference',
    prepay: 'Prepaid',
    statements: 'Statements that it pays',
    points: 'Points',
    deposit: 'Deposit',
    amount: 'Change',
    status: 'Status',
    cardAmount: 'Amount of the card',
    deduction: 'Deduction',
    refunded: 'Refunded',
    payout: 'Paid by',
    refundPolicy: 'Refund policy',
    member: 'Member',
    heldGrams: 'Held by the house',
    bullionWon: 'Paid or received',
    bullionReference: 'Reference',
    commissionBps: 'Commission',
    commissionBase: 'Commission of',
    commissionFrom: 'From',
    safeguarded: 'Safeguarded',
    asOf: 'At the end of',
    safeguardMethod: 'Method',
    safeguardReference: 'Reference',
  },
}

// Values that are words of ours.
export const VALUE_NAMES: Texts<Record<string, string>> = {
  ko: {
    ...ROLE_NAMES.ko,
    issued: '발행됨',
    voided: '취소됨',
    of_issued: '발행액',
    of_used: '사용액',
    yes: '예',
    XAU: '금',
    XAG: '은',
    trust: '신탁',
    deposit: '예치',
    guarantee: '지급보증보험',
  },
  en: {
    ...ROLE_NAMES.en,
    issued: 'issued',
    voided: 'void',
    of_issued: 'cards issued',
    of_used: 'cards used',
    yes: 'yes',
    XAU: 'Gold',
    XAG: 'Silver',
    trust: 'trust',
    deposit: 'deposit',
    guarantee: 'guarantee insurance',
  },
}

// What was seen of a person beside the name.
export const SEEN: Texts<{ browser: (address: string) => string; account: (seen: SeenOfAccount) => string }> =
  {
    ko: {
      browser: (address) => `브라우저, ${address}`,
      account: ({ uid, loginUid, sudoUid, atTerminal }) =>
        [
          `계정 ${uid ?? '알 수 없음'}`,
          loginUid === null ? '로그인 기록 없음' : `로그인 ${loginUid}`,
          ...(sudoUid === null ? [] : [`sudo 실행 ${sudoUid}`]),
          atTerminal ? '터미널' : '터미널 아님',
        ].join(', '),
    },
    en: {
      browser: (address) => `a browser at ${address}`,
      account: ({ uid, loginUid, sudoUid, atTerminal }) =>
        [
          `uid ${uid ?? 'unknown'}`,
          loginUid === null ? 'no login' : `login ${loginUid}`,
          ...(sudoUid === null ? [] : [`sudo by ${sudoUid}`]),
          atTerminal ? 'at a terminal' : 'no terminal',
        ].join(', '),
    },
  }
