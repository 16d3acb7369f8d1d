import { type MessageText, withoutCancelling } from './text.ts'
import type { MessageLanguage } from './types.ts'

// Registered with Kakao as it stands: no character of it may change, and its refund rule is quoted though nothing in the
// service carries it out yet. The next version says whom to ask instead.

// The same for every purpose: the card, how to register it, warnings, and the refund rule.
const COMMON = {
  ko: `■ 상품권 정보
- PIN 번호: #{PIN번호}
- 금액: #{금액}
- 유효기간: #{유효기간}까지

■ 등록 방법
아래 주소에서 PIN 번호를 입력해 주세요. 금액 전부가 포인트로 바뀌고, 포인트로 금이나 은을 살 수 있어요.
#{등록주소}

■ 주의 사항
- PIN 번호는 현금과 같아요. 다른 사람에게 알려 주지 마세요.
- 한 번만 등록할 수 있고, 금액을 나누어 등록할 수 없어요.
- 등록한 상품권은 다시 발급되지 않아요.

■ 취소·환불
- 등록하지 않은 상품권은 구매일부터 #{취소일수}일 안에 구매처에서 취소할 수 있어요.
- 유효기간이 지나도 구매일부터 #{환불년수}년 안에는 환불받을 수 있어요. #{기준금액} 이하는 #{소액환불률}, 초과는 #{고액환불률}, 포인트로 받으면 #{포인트환불률}예요.

■ 문의: #{문의처}`,
  en: `■ Your card
- PIN: #{PIN번호}
- Amount: #{금액}
- Valid until: #{유효기간}

■ How to register
Enter the PIN at the address below. The whole amount becomes points, which buy gold or silver.
#{등록주소}

■ Please note
- The PIN is like cash: do not pass it on.
- It works once, for the whole amount.
- A card that has been registered is not reissued.

■ Refunds
- An unregistered card can be cancelled by its buyer within #{취소일수} days of purchase.
- Once expired, within #{환불년수} years of purchase: #{소액환불률} up to #{기준금액}, #{고액환불률} above, #{포인트환불률} as points.

■ Contact: #{문의처}`,
} as const satisfies Record<MessageLanguage, string>

interface Opening {
  title: string
  // Who gave the card and why the message came.
  reason: string
}

const OPENINGS = {
  gift: {
    ko: {
      title: '금·은 상품권이 도착했어요',
      reason: `#{보낸이}에서 금·은 상품권을 선물했어요.
이 메시지는 #{보낸이}의 상품권 구매가 완료되어 받는 분께 보내 드려요.`,
    },
    en: {
      title: 'You have a gold & silver gift card',
      reason: `#{보낸이} has given you a gold and silver gift card.
You receive this message because #{보낸이} has bought it for you.`,
    },
  },
  reminder: {
    ko: {
      title: '금·은 상품권 유효기간 안내',
      reason: `#{보낸이}에서 선물한 금·은 상품권이 아직 등록되지 않았고, #{유효기간}이 지나면 만료돼요.
이 메시지는 선물받은 상품권의 유효기간을 알려 드리려고 보내 드려요.`,
    },
    en: {
      title: 'Your gift card expires soon',
      reason: `The gold and silver gift card that #{보낸이} gave you is not registered yet and expires after #{유효기간}.
You receive this message so that you know the date.`,
    },
  },
} as const satisfies Record<'gift' | 'reminder', Record<MessageLanguage, Opening>>

const textOf = (purpose: 'gift' | 'reminder', language: MessageLanguage): MessageText => {
  const { title, reason } = OPENINGS[purpose][language]
  const rest = purpose === 'gift' ? COMMON[language] : withoutCancelling(COMMON[language])
  return { title, body: `${reason}\n\n${rest}` }
}

export const VERSION_1 = {
  gift: { ko: textOf('gift', 'ko'), en: textOf('gift', 'en') },
  reminder: { ko: textOf('reminder', 'ko'), en: textOf('reminder', 'en') },
} as const
