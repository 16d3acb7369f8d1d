import { grams, type Language, points, won } from '../../kit/format.ts'

export const ASSETS = ['points', 'deposit', 'gold', 'silver'] as const

// History, statement and statement check use the same words.
export const MOVEMENT_TEXTS = {
  ko: {
    points: '포인트',
    deposit: '예치금',
    gold: '금',
    silver: '은',
    redeem: '상품권 등록',
    buy: '구매',
    sell: '판매',
    withdraw: '출금',
    withdraw_back: '출금 반환',
    join: '계정 합치기',
    waive: '남은 금액 포기',
    grant: '지급',
    adjust_up: '잔액 정정(추가)',
    adjust_down: '잔액 정정(차감)',
    refund: '만료 상품권 환불',
    balance: '잔액',
  },
  en: {
    points: 'Points',
    deposit: 'Deposit',
    gold: 'Gold',
    silver: 'Silver',
    redeem: 'Gift card registered',
    buy: 'Bought',
    sell: 'Sold',
    withdraw: 'Withdrawal',
    withdraw_back: 'Withdrawal returned',
    join: 'Joined from a partner',
    waive: 'Rest given up',
    grant: 'Granted',
    adjust_up: 'Balance corrected (added)',
    adjust_down: 'Balance corrected (deducted)',
    refund: 'Expired card refunded',
    balance: 'Balance',
  },
}

// A movement's change: '+0.0500' of a metal, '-10000' of won.
export function signedAmount(asset: string, text: string, language: Language): string {
  const sign = text.startsWith('-') ? '-' : '+'
  const size = text.replace(/^[+-]/, '')
  return sign + amountOf(asset, size, language)
}

export function amountOf(asset: string, text: string, language: Language): string {
  if (isMetal(asset)) return grams(text)
  return asset === 'points' ? points(Number(text)) : won(Number(text), language)
}

function isMetal(asset: string): boolean {
  return asset === 'gold' || asset === 'silver'
}
