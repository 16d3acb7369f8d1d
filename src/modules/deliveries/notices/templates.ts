import type { MessageLanguage } from '#modules/deliveries/messages/types.ts'
import type { NoticePurpose } from './types.ts'

interface Template {
  title: string
  // What happened.
  said: string
  // What to do if it was another person.
  advice: string
  // The page that does it.
  page: 'stop' | 'recover' | null
}

const STOP = {
  ko: '본인이 아니라면 아래 주소에서 바로 멈춰 주세요. 로그인하지 않아도 돼요.',
  en: 'If this was not you, stop it here now. You do not need to log in.',
} as const
const RECOVER = {
  ko: '본인이 아니라면 아래 주소에서 본인 확인을 하고 새 비밀번호를 정해 주세요. 다른 기기는 모두 로그아웃돼요.',
  en: 'If this was not you, verify your identity here and set a new password. Every other device is signed out.',
} as const

const RECOVER_WITH_PASSKEYS = {
  ko: '본인이 아니라면 아래 주소에서 본인 확인을 하고 새 비밀번호를 정해 주세요. 다른 기기는 모두 로그아웃되고 패스키는 모두 삭제돼요.',
  en: 'If this was not you, verify your identity here and set a new password. Every other device is signed out and every passkey is removed.',
} as const

export const NOTICE_TEMPLATES: Record<NoticePurpose, Record<MessageLanguage, Template>> = {
  withdrawal: {
    ko: { title: '출금 신청 안내', said: '출금 신청을 받았어요.', advice: STOP.ko, page: 'stop' },
    en: { title: 'Withdrawal requested', said: 'A withdrawal was requested.', advice: STOP.en, page: 'stop' },
  },
  payout_account: {
    ko: {
      title: '새 계좌로 출금 신청 안내',
      said: '처음 쓰는 계좌로 출금 신청을 받았어요. 안전을 위해 하루를 기다린 뒤에 보내 드려요.',
      advice: STOP.ko,
      page: 'stop',
    },
    en: {
      title: 'Withdrawal to a new account',
      said: 'A withdrawal to a new account was requested. To keep you safe it is sent after a day.',
      advice: STOP.en,
      page: 'stop',
    },
  },
  password: {
    ko: { title: '비밀번호 변경 안내', said: '비밀번호가 바뀌었어요.', advice: RECOVER.ko, page: 'recover' },
    en: {
      title: 'Password changed',
      said: 'Your password was changed.',
      advice: RECOVER.en,
      page: 'recover',
    },
  },
  phone: {
    ko: {
      title: '휴대폰 번호 변경 안내',
      said: '계정의 휴대폰 번호가 바뀌었어요.',
      advice: '본인이 아니라면 아래 문의처로 바로 알려 주세요.',
      page: null,
    },
    en: {
      title: 'Phone number changed',
      said: 'The phone number of your account was changed.',
      advice: 'If this was not you, tell us at once at the contact below.',
      page: null,
    },
  },
  new_device: {
    ko: {
      title: '새 기기 로그인 안내',
      said: '새 기기에서 로그인했어요.',
      advice: RECOVER.ko,
      page: 'recover',
    },
    en: {
      title: 'Login from a new device',
      said: 'Somebody logged in from a new device.',
      advice: RECOVER.en,
      page: 'recover',
    },
  },
  passkey_added: {
    ko: {
      title: '패스키 추가 안내',
      said: '로그인에 쓰는 패스키를 추가했어요.',
      advice: RECOVER_WITH_PASSKEYS.ko,
      page: 'recover',
    },
    en: {
      title: 'Passkey added',
      said: 'A passkey to log in with was added.',
      advice: RECOVER_WITH_PASSKEYS.en,
      page: 'recover',
    },
  },
  passkey_removed: {
    ko: {
      title: '패스키 삭제 안내',
      said: '로그인에 쓰는 패스키를 삭제했어요.',
      advice: RECOVER_WITH_PASSKEYS.ko,
      page: 'recover',
    },
    en: {
      title: 'Passkey removed',
      said: 'A passkey was removed. It no longer logs you in.',
      advice: RECOVER_WITH_PASSKEYS.en,
      page: 'recover',
    },
  },
  passkey_blocked: {
    ko: {
      title: '패스키 사용 중지 안내',
      said: '패스키가 복제됐을 수 있어 더는 로그인에 쓸 수 없게 했어요.',
      advice:
        '설정에서 이 패스키를 삭제하고 다시 추가해 주세요. 로그인하려던 사람이 본인이 아니라면 아래 주소에서 본인 확인을 하고 새 비밀번호를 정해 주세요.',
      page: 'recover',
    },
    en: {
      title: 'Passkey blocked',
      said: 'A passkey may have been copied, so it no longer logs you in.',
      advice:
        'Remove it in the settings and add it again. If it was not you who tried to log in, verify your identity here and set a new password.',
      page: 'recover',
    },
  },
  credit_80: {
    ko: {
      title: '신용 한도 80% 안내',
      said: '신용 한도의 80% 이상을 사용했어요.',
      advice: '한도에 닿으면 상품권을 살 수 없어요. 입금 일정을 확인해 주세요.',
      page: null,
    },
    en: {
      title: '80% of the credit limit',
      said: '80% of the credit limit or more is used.',
      advice: 'At the limit no more cards can be bought. Please look at your payments.',
      page: null,
    },
  },
  credit_95: {
    ko: {
      title: '신용 한도 95% 안내',
      said: '신용 한도의 95% 이상을 사용했어요.',
      advice: '곧 상품권을 살 수 없게 돼요. 바로 입금하시거나 아래 문의처로 알려 주세요.',
      page: null,
    },
    en: {
      title: '95% of the credit limit',
      said: '95% of the credit limit or more is used.',
      advice: 'Soon no more cards can be bought. Please pay now, or tell us at the contact below.',
      page: null,
    },
  },
  stopped: {
    ko: {
      title: '출금 중지 요청 안내',
      said: '출금 중지 요청을 받아 모든 기기에서 로그아웃했어요. 보내기 전인 출금은 취소해 예치금으로 돌려놓았고, 이미 은행에 전달된 출금은 담당자가 확인해요.',
      advice: '다시 출금하려면 아래 주소에서 본인 확인을 하고, 비밀번호가 있다면 새로 정해 주세요.',
      page: 'recover',
    },
    en: {
      title: 'Request to stop a withdrawal',
      said: 'You asked to stop a withdrawal, so every device is signed out. What was not sent yet is back in your deposit; our staff look into what the bank may have been told.',
      advice: 'To withdraw again, verify your identity here and, if you have a password, set a new one.',
      page: 'recover',
    },
  },
}

export const NOTICE_LABELS = {
  ko: {
    partner: '제휴사',
    owed: '사용',
    limit: '한도',
    amount: '금액',
    account: '계좌',
    newNumber: '새 번호',
    passkeysRemoved: '삭제한 패스키',
    count: (count: string) => `${count}개`,
    at: '시각',
    device: '기기',
    unknownDevice: '알 수 없음',
    waitsUntil: '지급',
    from: (moment: string) => `${moment} 이후`,
    contact: '문의',
  },
  en: {
    partner: 'Partner',
    owed: 'Used',
    limit: 'Limit',
    amount: 'Amount',
    account: 'Account',
    newNumber: 'New number',
    passkeysRemoved: 'Passkeys removed',
    count: (count: string) => count,
    at: 'When',
    device: 'Device',
    unknownDevice: 'unknown',
    waitsUntil: 'Paid',
    from: (moment: string) => `after ${moment}`,
    contact: 'Contact',
  },
} as const satisfies Record<MessageLanguage, unknown>
