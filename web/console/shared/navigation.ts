import type { LinkProps } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { Permission } from '../../../contract/console.gen.ts'
import type { Texts } from '../../kit/language.tsx'
import { WaitingCount } from '../approvals/waiting-count.tsx'

interface NavigationEntry {
  to: NonNullable<LinkProps['to']>
  name: Texts<string>
  // Shown to those who have it.
  permission: Permission
  // Beside the name: how many wait there.
  // A component, so that only the menu of those who see the entry asks the service.
  Count?: ComponentType
}

export interface NavigationGroup {
  name: Texts<string>
  entries: readonly NavigationEntry[]
}

// The menu, in the order of use.
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    name: { ko: '현황', en: 'Now' },
    entries: [
      { to: '/', name: { ko: '현황', en: 'Overview' }, permission: 'overview.read' },
      {
        to: '/approvals',
        name: { ko: '승인', en: 'Approvals' },
        permission: 'approvals.read',
        Count: WaitingCount,
      },
      {
        to: '/delivery-health',
        name: { ko: '발송 실패와 재시도', en: 'Failures and retries' },
        permission: 'overview.read',
      },
      { to: '/prices', name: { ko: '시세와 거래 조건', en: 'Prices' }, permission: 'prices.read' },
    ],
  },
  {
    name: { ko: '찾아보기', en: 'Look up' },
    entries: [
      { to: '/cards', name: { ko: '상품권', en: 'Cards' }, permission: 'cards.read' },
      { to: '/members', name: { ko: '회원', en: 'Members' }, permission: 'members.read' },
      { to: '/users', name: { ko: '제휴사 사용자', en: 'Partner users' }, permission: 'users.read' },
      { to: '/deliveries', name: { ko: '발송', en: 'Deliveries' }, permission: 'deliveries.read' },
      { to: '/notices', name: { ko: '회원 알림', en: 'Notices' }, permission: 'members.read' },
      { to: '/orders', name: { ko: '주문', en: 'Orders' }, permission: 'orders.read' },
      { to: '/withdrawals', name: { ko: '출금', en: 'Withdrawals' }, permission: 'withdrawals.read' },
    ],
  },
  {
    name: { ko: '제휴', en: 'Partners' },
    entries: [
      { to: '/partners', name: { ko: '제휴사', en: 'Partners' }, permission: 'partners.read' },
      { to: '/statements', name: { ko: '정산서', en: 'Statements' }, permission: 'statements.read' },
    ],
  },
  {
    name: { ko: '장부', en: 'Books' },
    entries: [
      { to: '/month-end', name: { ko: '월마감', en: 'Month-end' }, permission: 'books.read' },
      { to: '/days', name: { ko: '일마감', en: 'Closed days' }, permission: 'books.read' },
      { to: '/trial-balance', name: { ko: '시산표', en: 'Trial balance' }, permission: 'books.read' },
      { to: '/bank-file', name: { ko: '은행 입금 파일', en: 'Bank file' }, permission: 'payments.request' },
      { to: '/bullion', name: { ko: '실물 귀금속', en: 'Bullion' }, permission: 'books.read' },
      { to: '/reports', name: { ko: '감독 보고', en: 'Regulator' }, permission: 'reports.read' },
    ],
  },
  {
    name: { ko: '운영 관리', en: 'Administration' },
    entries: [
      {
        to: '/refund-policies',
        name: { ko: '환불 정책', en: 'Refund policies' },
        permission: 'refund_policies.read',
      },
      { to: '/audit', name: { ko: '감사 기록', en: 'Audit log' }, permission: 'audit.read' },
      {
        to: '/retention',
        name: { ko: '개인정보 보관 기간', en: 'Retention' },
        permission: 'members.read',
      },
      { to: '/staff', name: { ko: '직원', en: 'Staff' }, permission: 'staff.read' },
      { to: '/roles', name: { ko: '역할과 권한', en: 'Roles' }, permission: 'staff.read' },
    ],
  },
]
