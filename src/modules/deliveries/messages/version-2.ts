import { type MessageText, withoutCancelling } from './text.ts'
import type { MessageLanguage, MessagePurpose } from './types.ts'

const CARD = {
  ko: `■ 상품권 정보
- PIN 번호: #{PIN번호}
- 금액: #{금액}
- 유효기간: #{유효기간}까지

■ 등록 방법
아래 주소를 누르면 PIN 번호를 입력하지 않고 등록할 수 있어요. 금액 전부가 포인트로 바뀌고, 포인트로 금이나 은을 구매할 수 있어요.
#{등록링크}

■ 주의 사항
- PIN 번호와 위 주소는 현금과 같아요. 다른 사람에게 알려 주지 마세요.
- 한 번만 등록할 수 있고, 금액을 나누어 등록할 수 없어요.
- 등록한 상품권은 다시 발급되지 않아요.

■ 취소·환불
- 등록하지 않은 상품권은 구매일부터 #{취소일수}일 안에 구매처에서 취소할 수 있어요.
- 유효기간이 지났거나 환불이 필요하면 아래 문의처로 알려 주세요. 담당자가 확인하고 처리해요.

■ 문의: #{문의처}`,
  en: `■ Your card
- PIN: #{PIN번호}
- Amount: #{금액}
- Valid until: #{유효기간}

■ How to register
Open the address below: no PIN to type. The whole amount becomes points, for gold or silver.
#{등록링크}

■ Please note
- The PIN and the address are like cash: keep them to yourself.
- It works once, for the whole amount, and is not reissued.

■ Cancelling and refunds
- Until you register it, its buyer can cancel it within #{취소일수} days.
- If it has expired or you need a refund, ask the contact below: our staff handle it.

■ Contact: #{문의처}`,
} as const satisfies Record<MessageLanguage, string>

const GIFT = {
  ko: {
    title: '금·은 상품권이 도착했어요',
    body: `#{보낸이}에서 금·은 상품권을 선물했어요.
이 메시지는 #{보낸이}의 상품권 구매가 완료되어 받는 분께 보내 드려요.

${CARD.ko}`,
  },
  en: {
    title: 'You have a gold & silver gift card',
    body: `#{보낸이} has given you a gold and silver gift card.
You receive this message because #{보낸이} has bought it for you.

${CARD.en}`,
  },
}

const REMINDER = {
  ko: {
    title: '금·은 상품권 유효기간 안내',
    body: `#{보낸이}에서 선물한 금·은 상품권이 아직 등록되지 않았고, #{유효기간}이 지나면 만료돼요.
이 메시지는 선물받은 상품권의 유효기간을 알려 드리려고 보내 드려요.

${withoutCancelling(CARD.ko)}`,
  },
  en: {
    title: 'Your gift card expires soon',
    body: `The gold and silver gift card that #{보낸이} gave you is not registered yet and expires after #{유효기간}.
You receive this message so that you know the date.

${withoutCancelling(CARD.en)}`,
  },
}

// Without the PIN, which is erased with the card.
const CANCELLATION = {
  ko: {
    title: '금·은 상품권 취소 안내',
    body: `#{보낸이}에서 선물한 금·은 상품권이 취소되어 더 이상 등록할 수 없어요.
이 메시지는 보내 드린 상품권이 취소된 것을 알려 드리려고 보내 드려요.

■ 취소된 상품권
- 금액: #{금액}
- 구매일: #{구매일}
- 유효기간: #{유효기간}까지

궁금한 점은 #{보낸이}나 아래 문의처에 물어봐 주세요. 담당자가 확인해요.

■ 문의: #{문의처}`,
  },
  en: {
    title: 'Your gift card was cancelled',
    body: `The gold and silver gift card that #{보낸이} gave you was cancelled and can no longer be registered.
You receive this message because the card had been sent to you.

■ The cancelled card
- Amount: #{금액}
- Bought on: #{구매일}
- Valid until: #{유효기간}

If you have questions, ask #{보낸이} or the contact below. Our staff look into it.

■ Contact: #{문의처}`,
  },
}

export const VERSION_2: Record<MessagePurpose, Record<MessageLanguage, MessageText>> = {
  gift: GIFT,
  reminder: REMINDER,
  cancellation: CANCELLATION,
}
