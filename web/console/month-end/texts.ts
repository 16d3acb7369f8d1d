import type { MonthItemKind } from '../../../contract/console.gen.ts'
import type { Texts } from '../../kit/language.tsx'

interface ItemText {
  name: string
  todo: string
}

type Reasons = { reasons: Readonly<Record<string, string>> }
type ItemTexts = Record<MonthItemKind, ItemText> & { books_verified: Reasons; metal_covered: Reasons }

export const ITEM_TEXTS: Texts<ItemTexts> = {
  ko: {
    days_closed: {
      name: '일마감',
      todo: '끝난 날은 worker가 1분마다 마감합니다. 차이가 있으면 아래 행을 확인해 주세요.',
    },
    balances_even: { name: '자산별 차변과 대변', todo: 'ingot verify 명령으로 다른 행을 찾아 주세요.' },
    books_verified: {
      name: '장부 검증',
      todo: '매일 밤 실행됩니다. 지금 하려면 ingot verify 명령을 실행해 주세요.',
      reasons: {
        broken: '마지막 검증에서 맞지 않는 항목이 나왔습니다',
        none: '검증한 적이 없습니다',
        behind: '월말까지 검증되지 않았습니다',
      },
    },
    statements_closed: {
      name: '제휴사 정산서 마감',
      todo: '이 달에 거래가 있는 제휴사입니다. 마감해 주세요.',
    },
    partners_billed: {
      name: '정산서가 없는 제휴사',
      todo: '첫 정산서가 이 달 뒤에 시작하여, 이 달의 거래는 정산서에 없습니다.',
    },
    statements_sent: { name: '정산서 전달', todo: '제휴사에 전달하고 보냄으로 기록해 주세요.' },
    statements_paid: { name: '정산서 입금', todo: '은행 파일에서 입금을 찾아 등록해 주세요.' },
    payments_assigned: {
      name: '정산서를 정하지 않은 입금',
      todo: '남은 정산서가 있는데 예치금으로 들어간 입금입니다. 제휴사와 확인해 주세요.',
    },
    refunds_decided: { name: '승인을 기다리는 환불', todo: '나중에 승인하면 그달에 기록됩니다.' },
    requests_decided: { name: '승인을 기다리는 요청', todo: '나중에 승인하면 그달에 기록됩니다.' },
    withdrawals_paid: {
      name: '처리 중인 출금',
      todo: '이 달에 신청된 출금입니다. 지급하거나 거절해 주세요.',
    },
    metal_covered: {
      name: '회원 귀금속 대비 보유',
      todo: '월말에 회원이 가진 귀금속보다 회사 보유가 적습니다. 실물을 사거나 판단을 남겨 주세요.',
      reasons: { XAU: '금', XAG: '은' },
    },
    corrections: {
      name: '다른 달에 기록된 정정',
      todo: '늦게 들어온 기록입니다. 속한 날이 그 기록에 남아 있습니다.',
    },
  },
  en: {
    days_closed: {
      name: 'Daily close',
      todo: 'The worker closes days every minute once they are over. If there is a difference, look at the rows below.',
    },
    balances_even: { name: 'Debits and credits of each asset', todo: 'Find the rows with ingot verify.' },
    books_verified: {
      name: 'Books verified',
      todo: 'It runs every night. To do it now, run ingot verify.',
      reasons: {
        broken: 'the last run found mistakes',
        none: 'never verified',
        behind: 'not verified to the end of the month',
      },
    },
    statements_closed: {
      name: 'Statements closed',
      todo: 'These partners have movements in the month. Close their statements.',
    },
    partners_billed: {
      name: 'Partners without a statement',
      todo: 'Their first statement begins later, so it does not have the movements of this month.',
    },
    statements_sent: { name: 'Statements sent', todo: 'Give them to the partners and record it.' },
    statements_paid: {
      name: 'Statements paid',
      todo: 'Find the payments in the bank’s file and record them.',
    },
    payments_assigned: {
      name: 'Payments without a statement',
      todo: 'They became deposit though statements are open. Ask the partner.',
    },
    refunds_decided: { name: 'Refunds decided', todo: 'What is approved later is booked in that month.' },
    requests_decided: { name: 'Requests decided', todo: 'What is approved later is booked in that month.' },
    withdrawals_paid: {
      name: 'Withdrawals settled',
      todo: 'Asked for until the end of the month. Pay or refuse them.',
    },
    metal_covered: {
      name: 'Metal of members held',
      todo: 'At the end of the month members held more than the house. Buy bullion, or know why not.',
      reasons: { XAU: 'gold', XAG: 'silver' },
    },
    corrections: {
      name: 'Corrections in another month',
      todo: 'These came late. Each names the day it belongs to.',
    },
  },
}
