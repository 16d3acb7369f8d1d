import type { Language } from '../../../kit/format.ts'

// The state that something is in. The lists name them for their files, too, and say the same: test/web/state-words.test.ts.
export const STATE_WORDS: Record<Language, Record<string, string>> = {
  ko: {
    issued: '미사용',
    used: '사용됨',
    voided: '취소됨',
    expired: '만료됨',
    open: '정상',
    closed: '탈퇴',
    none: '계정 없음',
    active: '정상',
    suspended: '정지',
    frozen: '회원 정지',
    refused: '거절됨',
    requested: '승인 대기',
    approved: '지급 대기',
    paid: '지급됨',
    cancelled: '취소됨',
  },
  en: {
    issued: 'not used',
    used: 'used',
    voided: 'voided',
    expired: 'expired',
    open: 'open',
    closed: 'closed',
    none: 'no account',
    active: 'active',
    suspended: 'suspended',
    frozen: 'member frozen',
    refused: 'refused',
    requested: 'waits for approval',
    approved: 'waits for payment',
    paid: 'paid',
    cancelled: 'cancelled',
  },
}
