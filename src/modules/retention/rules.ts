import type { Retention, Words } from './types.ts'

// How long each kind of data of people is kept: the one table. The console shows it, docs/members-data.md has it, and the
// answer to an erasure names its lines. docs/retention.md has the details by database table.

// Act on the Consumer Protection in Electronic Commerce, decree article 6: contracts, payments and supply five years. The
// Electronic Financial Transactions Act, article 22, asks the same for transactions.
const TRANSACTION_YEARS = 5

const COMMERCE: Words = {
  ko: '전자상거래법과 전자금융거래법: 계약·결제·거래 기록 5년',
  en: 'Electronic Commerce Act and Electronic Financial Transactions Act: records of contracts, payments and transactions, five years',
}

export const RETENTION = [
  {
    kind: 'person',
    what: {
      ko: '본인 확인한 이름, 생년월일, 성별, 휴대폰 번호',
      en: 'Verified name, birthday, gender and phone number',
    },
    kept: {
      ko: '탈퇴 후 5년. 삭제를 요청하면 마지막 거래 후 5년, 거래가 없으면 바로 삭제',
      en: 'Five years after the closing; on request five years after the last transaction, or at once if there was none',
    },
    why: COMMERCE,
    job: 'forget_old_logins',
    tables: ['member_account'],
  },
  {
    kind: 'identity',
    what: { ko: '연계정보(CI)', en: 'Carrier identifier (CI)' },
    kept: { ko: '계속 보관', en: 'Stays' },
    why: {
      ko: '자산과 거래 기록이 누구 것인지 알고, 다시 가입해도 같은 사람으로 확인하기 위해',
      en: 'Holdings and records belong to a person, who is found again after signing up once more',
    },
    job: null,
    tables: ['member', 'member_ci'],
  },
  {
    kind: 'login_id',
    what: { ko: '로그인 아이디', en: 'Login id' },
    kept: { ko: '계속 보관', en: 'Stays' },
    why: { ko: '다른 사람에게 같은 아이디를 주지 않기 위해', en: 'No other person ever gets the same id' },
    job: null,
    tables: ['member_account'],
  },
  {
    kind: 'transactions',
    what: {
      ko: '거래 기록: 포인트, 예치금, 금·은, 주문, 출금 금액, 환불',
      en: 'Transactions: points, deposit, metal, orders, amounts of withdrawals, refunds',
    },
    kept: {
      ko: '5년 이상. 장부의 일부라서 지우지 않음',
      en: 'At least five years; as a part of the books they stay',
    },
    why: COMMERCE,
    job: null,
    tables: [
      'account',
      'transfer',
      'trade_order',
      'withdrawal',
      'card_refund',
      'card_extension',
      'gift_card',
    ],
  },
  {
    kind: 'bank_accounts',
    what: { ko: '출금 계좌', en: 'Bank accounts of withdrawals' },
    kept: { ko: '출금이 끝난 뒤 5년', en: 'Five years after the withdrawal ended' },
    why: COMMERCE,
    job: 'forget_old_logins',
    tables: ['withdrawal'],
  },
  {
    kind: 'statements',
    what: { ko: '발급한 거래 내역서', en: 'Issued statements' },
    kept: { ko: '발급 후 5년', en: 'Five years from the issue' },
    why: { ko: '받은 사람이 진위를 확인할 수 있게', en: 'Their reader can confirm them' },
    job: 'forget_old_records',
    tables: ['issued_statement'],
  },
  {
    kind: 'consents',
    what: { ko: '약관 동의 기록', en: 'Consents' },
    kept: { ko: '계속 보관', en: 'Stays' },
    why: { ko: '동의했다는 증거', en: 'Proof of consent' },
    job: null,
    tables: ['member_consent', 'consent'],
  },
  {
    kind: 'partner_details',
    what: { ko: '제휴사가 알려 준 정보와 제휴사 연결', en: 'What partners told, and the links to partners' },
    kept: {
      ko: '제휴사와 연결된 동안. 바뀌기 전 정보와 가입 추적 번호는 5년',
      en: 'As long as the link; replaced details and trace numbers five years',
    },
    why: {
      ko: '제휴사가 회원을 구분하는 정보라서. 삭제는 제휴사에 요청',
      en: 'The partner names its user by it; ask the partner to erase it',
    },
    job: 'forget_old_records',
    tables: ['partner_user', 'former_details', 'signup_trace'],
  },
  {
    kind: 'messages',
    what: {
      ko: '회원에게 보낸 메시지의 받는 번호와 내용',
      en: 'Recipient and text of messages to the member',
    },
    kept: { ko: '보낸 뒤 90일. 삭제를 요청하면 바로 삭제', en: '90 days after sending; at once on request' },
    why: { ko: '도착했는지 확인하기 위해', en: 'Support sees whether they arrived' },
    job: 'forget_old_logins',
    tables: ['notice'],
  },
  {
    kind: 'access',
    what: {
      ko: '로그인 기기, 세션, 패스키, 비밀번호, 요청 기록',
      en: 'Devices, sessions, passkeys, password, records of requests',
    },
    kept: {
      ko: '탈퇴하면 끝나고, 세션 기록은 하루 뒤 삭제. 쓰지 않는 기기는 1년, 요청 기록은 30일',
      en: 'They end with the closing, traces of sessions a day later; an unused device after a year, records of requests after 30 days',
    },
    why: {
      ko: '로그인과 문의 응대에만 쓰는 정보',
      en: 'They serve to let people in and to answer questions',
    },
    job: 'forget_old_logins',
    tables: ['device', 'web_session', 'hash_key', 'passkey', 'member_account', 'api_request'],
  },
  {
    kind: 'protection',
    what: { ko: '이용 정지 기록과 직원이 처리한 기록', en: 'Freezes, and what staff did' },
    kept: {
      ko: '기록은 계속 보관, 사유와 접속 정보는 5년',
      en: 'The record stays; reasons and origins five years',
    },
    why: { ko: '누가 무엇을 했는지 나중에 확인하기 위해', en: 'Who did what can be shown later' },
    job: 'forget_old_records',
    tables: ['member_freeze', 'audit_entry', 'audit_private'],
  },
  {
    kind: 'recipients',
    what: { ko: '상품권을 받은 휴대폰 번호와 PIN', en: 'Phone number that a card was sent to, and its PIN' },
    kept: {
      ko: '번호는 계속 보관. PIN은 등록·취소·환불하거나 환불 기한이 지날 때까지',
      en: 'The number stays; the PIN until the card is used, voided, refunded or past the refund deadline',
    },
    why: {
      ko: '상품권과 환불을 장부에서 확인하기 위해',
      en: 'The books name every card and whom it was for',
    },
    job: 'look_after_cards',
    tables: ['gift_card', 'cancel_reason'],
  },
  {
    kind: 'under_way',
    what: {
      ko: '진행 중인 본인 확인, 가입, 견적과 잘못된 시도 횟수',
      en: 'Verifications, sign-ups and quotes under way, and counts of failed tries',
    },
    kept: { ko: '몇 분에서 7일', en: 'Minutes to seven days' },
    why: { ko: '끝나면 쓸모가 없는 정보', en: 'Of no use once they are over' },
    job: 'forget_old_logins',
    tables: [
      'identity_verification',
      'onboarding',
      'trade_quote',
      'refund_quote',
      'guess_count',
      'passkey_challenge',
      'redemption_key',
    ],
  },
] as const satisfies readonly Retention[]

export type RetentionKind = (typeof RETENTION)[number]['kind']

export function retentionOf(kind: RetentionKind): Retention {
  return RETENTION.find((one) => one.kind === kind)!
}

// What becomes of each kind when a member asks for erasure. until: the day after which it is erased; null of what stays.
export interface ErasureLine {
  kind: RetentionKind
  outcome: 'erased' | 'kept'
  until: string | null
}

// `lastTransactionOn`: the Seoul day of the member's last transaction; null if there was none.
export function planErasure({
  lastTransactionOn,
  today,
}: {
  lastTransactionOn: string | null
  today: string
}): { lines: ErasureLine[]; detailsUntil: string | null } {
  const until =
    lastTransactionOn === null
      ? null
      : Temporal.PlainDate.from(lastTransactionOn).add({ years: TRANSACTION_YEARS }).toString()
  // Kept through that day.
  const detailsUntil = until !== null && until >= today ? until : null
  const now = { outcome: 'erased', until: null } as const
  const lines = RETENTION.filter(({ kind }) => kind !== 'under_way' && kind !== 'recipients').map(
    ({ kind }): ErasureLine => {
      if (kind === 'messages' || kind === 'access') return { kind, ...now }
      if (kind === 'person')
        return detailsUntil === null ? { kind, ...now } : { kind, outcome: 'kept', until: detailsUntil }
      return { kind, outcome: 'kept', until: null }
    },
  )
  return { lines, detailsUntil }
}
