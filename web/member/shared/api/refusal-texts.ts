import type { ErrorCode } from '../../../../contract/member.gen.ts'
import type { Language } from '../../../kit/language.tsx'
import type { Refusal } from './refusal.ts'

type Code = ErrorCode | 'offline'

// What happened, and what to do next. A page that knows more says it in its own words. A code without a sentence cannot
// reach these pages: the one for invalid_request takes its place.
const SAYINGS: Record<Language, Partial<Record<Code, string>>> = {
  ko: {
    offline: '연결이 끊겼어요. 인터넷 연결을 확인하고 다시 시도해 주세요.',
    service_unavailable: '지금은 연결이 원활하지 않아요. 자산은 안전해요. 조금 뒤에 다시 시도해 주세요.',
    internal_error: '저희 쪽에 문제가 생겼어요. 조금 뒤에 다시 시도해 주세요.',
    request_timeout: '응답이 늦어지고 있어요. 다시 시도해 주세요.',
    invalid_request: '입력한 내용을 다시 확인해 주세요.',
    unauthorized: '로그아웃됐어요. 다시 로그인해 주세요.',
    forbidden: '처리할 수 없는 요청이에요. 화면을 새로 고친 뒤 다시 시도해 주세요.',
    not_found: '찾을 수 없어요. 처음부터 다시 시도해 주세요.',
    conflict: '그사이 상태가 바뀌었어요. 화면을 새로 고친 뒤 확인해 주세요.',
    passkey_failed: '이 패스키로는 로그인할 수 없어요. 다시 시도하거나 다른 방법으로 로그인해 주세요.',
    wrong_login: '아이디나 비밀번호가 맞지 않아요. 다시 확인해 주세요.',
    step_up_required: '안전을 위해 본인 확인이 필요해요. 본인 확인을 마친 뒤 이어서 할 수 있어요.',
    account_frozen:
      '계정이 잠시 멈춰 있어 지금은 이용할 수 없어요. 자산은 그대로 안전하게 보관하고 있어요. 고객센터에 문의해 주세요.',
    under_age:
      '만 14세 미만은 보호자 동의가 필요해서 아직 가입, 상품권 등록, 거래를 할 수 없어요. 받은 상품권은 그대로 있고, 만 14세가 되면 등록할 수 있어요.',
    not_eligible: '지금은 내국인만 가입할 수 있어요.',
    card_not_registered:
      '등록할 수 없는 상품권이에요. PIN을 다시 확인해 주세요. 맞게 입력했다면 받은 메시지에 있는 문의처에 물어봐 주세요.',
    card_used:
      '이미 등록된 상품권이에요. 본인이나 가족이 등록하지 않았다면 아래 문의처로 알려 주세요. 담당자가 확인해요.',
    card_already_yours: '이미 등록한 상품권이에요. 금액은 그때 포인트로 바뀌었어요.',
    card_expired:
      '유효기간이 지난 상품권이에요. 메시지에 있는 PIN을 입력하면 환불받을 수 있는 금액을 알려 드려요.',
    card_refunded:
      '이미 환불된 상품권이에요. 본인이나 가족이 환불받지 않았다면 아래 문의처로 알려 주세요. 담당자가 확인해요.',
    card_still_valid: '아직 유효기간이 남은 상품권이에요. 환불 대신 등록해서 포인트로 바꿀 수 있어요.',
    refund_too_late:
      '환불을 신청할 수 있는 기간이 지난 상품권이에요. 궁금한 점은 아래 문의처에 물어봐 주세요.',
    card_not_extendable: '이 상품권의 유효기간은 더 늘릴 수 없어요. 유효기간 안에 등록해 주세요.',
    card_cancelled: '취소된 상품권이라 등록할 수 없어요. 보낸 곳이나 아래 문의처에 물어봐 주세요.',
    pin_mistyped: '잘못 입력한 글자가 있어요. 받은 메시지와 비교해 주세요.',
    wrong_code: '인증번호가 맞지 않아요. 다시 확인해 주세요.',
    identity_failed: '본인 확인을 하지 못했어요. 통신사에 등록된 정보와 같은지 확인하고 다시 시도해 주세요.',
    other_person: '이 계정 주인의 정보가 아니에요. 본인 명의 휴대폰으로 확인해 주세요.',
    account_holder_differs:
      '본인 이름의 계좌인지 확인하지 못했어요. 은행과 계좌 번호를 다시 보거나, 본인 명의의 다른 계좌를 입력해 주세요.',
    weak_password: '너무 쉬운 비밀번호예요. 더 길거나 덜 흔한 것으로 정해 주세요.',
    login_id_taken: '이미 쓰고 있는 아이디예요. 다른 아이디를 입력해 주세요.',
    already_member: '이미 가입했어요. 로그인해 주세요.',
    quote_expired: '가격이 바뀌었을 수 있어요. 새 가격을 받아 주세요.',
    insufficient_balance: '잔액이 모자라요. 금액을 줄여 주세요.',
    withdrawals_stopped:
      '출금을 멈춘 계정이에요. 로그인 화면의 아이디·비밀번호 찾기에서 본인 확인을 하면 다시 출금할 수 있어요.',
    assets_remain: '자산이 남아 있어요. 모두 출금한 뒤에 탈퇴할 수 있어요.',
    amount_too_small: '금액이 너무 작아요. 조금 더 늘려 주세요.',
    prices_stale: '시세를 받지 못하고 있어 거래를 잠시 멈췄어요. 조금 뒤에 다시 시도해 주세요.',
    trading_stopped: '지금은 거래를 멈췄어요. 보유한 자산은 그대로예요.',
  },
  en: {
    offline: 'The connection was lost. Check your internet connection and try again.',
    service_unavailable: 'Not available right now. Your assets are safe. Please try again shortly.',
    internal_error: 'Something went wrong on our side. Please try again shortly.',
    request_timeout: 'The answer is taking long. Please try again.',
    invalid_request: 'Please check what you entered.',
    unauthorized: 'You are signed out. Please log in again.',
    forbidden: 'This request cannot be answered. Reload the page and try again.',
    not_found: 'It was not found. Please start again.',
    conflict: 'It has changed in the meantime. Reload the page and look again.',
    passkey_failed: 'This passkey was not accepted. Try again, or log in another way.',
    wrong_login: 'The id or the password is wrong. Please check both.',
    step_up_required: 'To keep you safe, please verify your identity. Then you can go on.',
    account_frozen:
      'This account is on hold, so it cannot be used right now. Your assets are kept safe, as they are. Please contact us.',
    under_age:
      'Under 14, a guardian has to consent, so you cannot sign up, register a card or trade yet. A card stays valid, and you can register it from your 14th birthday.',
    not_eligible: 'For now only Korean nationals can sign up.',
    card_not_registered:
      'This card cannot be registered. Check the PIN. If it is right, ask the contact in your message.',
    card_used:
      'This card is registered already. If it was not you or your family, tell us at the contact below: our staff look into it.',
    card_already_yours: 'You have registered this card already. Its amount became points then.',
    card_expired:
      'This card has expired. Enter the PIN from your message, and we show what you can still get back.',
    card_refunded:
      'This card is refunded already. If it was not you or your family, tell us at the contact below: our staff look into it.',
    card_still_valid: 'This card is still valid. Register it instead: it becomes points of the same amount.',
    refund_too_late:
      'The time to ask for a refund of this card is over. If you have questions, ask at the contact below.',
    card_not_extendable: 'This card cannot be extended again. Register it while it is valid.',
    card_cancelled:
      'This card was cancelled and cannot be registered. Ask whoever sent it, or the contact below.',
    pin_mistyped: 'A character is wrong. Compare it with your message.',
    wrong_code: 'That is not the code. Please check it.',
    identity_failed: 'We could not verify you. Check that it is what your carrier knows, and try again.',
    other_person: 'These are not the details of this account’s owner. Use a phone in your own name.',
    account_holder_differs:
      'We could not find this account under your own name. Check the bank and the number, or use another account of your own.',
    weak_password: 'That password is too easy. Choose a longer or less common one.',
    login_id_taken: 'That id is taken. Choose another.',
    already_member: 'You are a member already. Please log in.',
    quote_expired: 'The price may have changed. Get a new one.',
    insufficient_balance: 'Your balance is too low. Choose a smaller amount.',
    withdrawals_stopped:
      'Withdrawals of this account were stopped. Verify your identity under “Find id or password” on the log-in page to withdraw again.',
    assets_remain: 'There are assets left. Withdraw everything first, then close the account.',
    amount_too_small: 'The amount is too small. Choose a larger one.',
    prices_stale: 'Prices are not arriving, so trading is paused. Please try again shortly.',
    trading_stopped: 'Trading is stopped for now. What you hold stays as it is.',
  },
}

export function sayRefusal({ code, retryAfterSeconds, contact }: Refusal, language: Language): string {
  if (code === 'too_many_requests') return sayWait(retryAfterSeconds ?? 60, language)
  const said = SAYINGS[language][code] ?? SAYINGS[language].invalid_request ?? ''
  return contact ? `${said} ${sayContact(contact, language)}` : said
}

export function sayContact(contact: string, language: Language): string {
  return language === 'ko' ? `문의: ${contact}` : `Contact: ${contact}`
}

// Whole minutes, rounded up: a try after that time is let in. Long waits are clearer in hours.
function sayWait(seconds: number, language: Language): string {
  const minutes = Math.ceil(seconds / 60)
  if (minutes > 90) return sayHours(Math.ceil(minutes / 60), language)
  return language === 'ko'
    ? `여러 번 시도해서 잠시 막았어요. ${minutes}분 뒤에 다시 시도해 주세요.`
    : `Too many tries. Please wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} and try again.`
}

function sayHours(hours: number, language: Language): string {
  return language === 'ko'
    ? `여러 번 시도해서 잠시 막았어요. ${hours}시간 뒤에 다시 시도해 주세요.`
    : `Too many tries. Please wait ${hours} hours and try again.`
}
