import type { Language } from '#edge/http/language.ts'
import type { Notice } from '#edge/site/pages/notice.ts'

export const TEXTS = {
  ko: {
    title: '메시지함',
    languages: '언어',
    sandbox:
      '연습용 메시지함이에요. 받는 사람이 보게 될 모습 그대로 보여 드려요. 실제로는 아무에게도 보내지 않았어요.',
    really:
      '연습용 메시지함이에요. 받는 사람이 보는 모습 그대로 보여 드려요. 실제 발송사를 통해 보낸 메시지예요.',
    filter: '받는 번호로 찾기',
    find: '찾기',
    showAll: '전체 보기',
    badNumber: '휴대폰 번호가 아니에요. 010-1234-5678처럼 입력해 주세요.',
    newest: (count: number, most: number) =>
      count < most ? `메시지 ${count}개, 최근 순` : `최근 메시지 ${most}개`,
    alimtalk: '알림톡',
    arrived: '알림톡 도착',
    notArrived: '알림톡이 도착하지 않았어요',
    text: '문자 메시지',
    to: '받는 번호',
    card: '상품권 ID',
    status: {
      queued: '보내는 중',
      accepted: '발송됨',
      delivered: '도착',
      failed: '실패',
      unknown: '확인 중',
    },
    kinds: { label: '종류', card: '상품권 메시지', notice: '회원 알림' },
    nextNotice: '회원이 출금을 신청하거나 비밀번호를 바꾸거나 새 기기에서 로그인하면 여기에 알림이 보여요.',
    numbers: '일부러 실패하는 번호',
    empty: '아직 보낸 메시지가 없어요',
    emptyHere: '이 번호로 보낸 메시지가 없어요',
    next: '상품권을 한 장 구매하면 여기에 메시지가 보여요. 시작할 때 표시된 키를 넣어 실행하고, 이 페이지를 새로 고쳐 주세요.',
  },
  en: {
    title: 'Inbox',
    languages: 'Language',
    sandbox: 'Sandbox inbox: every message as its recipient would see it. Nothing was really sent to anyone.',
    really: 'Sandbox inbox: every message as its recipient sees it. They were handed to a real provider.',
    filter: 'Recipient’s number',
    find: 'Find',
    showAll: 'Show all',
    badNumber: 'That is not a Korean mobile number. Write it like 010-1234-5678.',
    newest: (count: number, most: number) =>
      count < most
        ? `${count} ${count === 1 ? 'message' : 'messages'}, newest first`
        : `The newest ${most} messages`,
    alimtalk: 'AlimTalk',
    arrived: 'AlimTalk arrived',
    notArrived: 'AlimTalk did not arrive',
    text: 'Text message',
    to: 'To',
    card: 'Gift card ID',
    status: {
      queued: 'sending',
      accepted: 'sent',
      delivered: 'delivered',
      failed: 'failed',
      unknown: 'unconfirmed',
    },
    kinds: { label: 'Kind', card: 'Gift cards', notice: 'Notices to members' },
    nextNotice:
      'When a member asks for a withdrawal, changes the password or logs in from a new device, the notice shows up here.',
    numbers: 'Numbers that fail on purpose',
    empty: 'No messages yet',
    emptyHere: 'No messages to this number',
    next: 'Buy a gift card and its messages show up here. Run this with the key that was shown at the start, then reload the page.',
  },
} as const satisfies Record<Language, unknown>

const RETRY = { ko: '다시 시도하기', en: 'Try again' }

export const NOTICES = {
  away: {
    ko: {
      title: '지금은 보여 드릴 수 없어요',
      body: '데이터베이스에 연결할 수 없어요. 조금 뒤에 다시 시도해 주세요.',
      retry: RETRY.ko,
    },
    en: {
      title: 'Not available right now',
      body: 'The database cannot be reached. Please try again shortly.',
      retry: RETRY.en,
    },
  },
  failed: {
    ko: {
      title: '문제가 생겼어요',
      body: '서버의 문제예요. 서버 로그에 원인이 있어요.',
      retry: RETRY.ko,
    },
    en: {
      title: 'Something went wrong',
      body: 'The fault is the server’s. Its log tells the cause.',
      retry: RETRY.en,
    },
  },
} as const satisfies Record<string, Record<Language, Notice>>
