export const TEXTS = {
  ko: {
    title: '본인 확인',
    termsHeading: '약관에 동의하면 가입이 끝나요',
    all: '모두 동의하기',
    service: '[필수] 서비스 이용약관',
    privacy: '[필수] 개인정보 수집·이용',
    marketing: '[선택] 소식과 혜택 받기',
    serviceText:
      '상품권을 등록하면 같은 금액의 포인트가 되고, 포인트와 예치금으로 금과 은을 구매하고 판매할 수 있어요. 가격은 시세에 따라 바뀌고, 주문은 되돌릴 수 없어요.',
    privacyText:
      '본인 확인을 위해 이름, 생년월일, 성별, 휴대폰 번호, 연계정보(CI)를 받아 암호화해 보관해요. 이름, 생년월일, 성별, 휴대폰 번호는 탈퇴하고 5년 뒤에 지우고, 연계정보는 자산의 주인을 확인하기 위해 계속 보관해요.',
    read: '내용 보기',
    agree: '동의하고 가입하기',
    identityHeading: '휴대폰으로 본인 확인해 주세요',
    identitySub:
      '회원이면 바로 로그인하고, 처음이면 약관 동의만 하면 가입해요. 휴대폰 명의자 정보와 같아야 해요.',
    codeHeading: '인증번호를 입력해 주세요',
    goOn: '이어서 하기',
    hello: (name: string) => `${name} 님, 본인 확인을 마쳤어요.`,
    underTitle: '지금은 가입할 수 없어요',
    underBody:
      '만 14세 미만은 보호자의 동의가 필요해요. 보호자가 대신 상품권을 등록하거나, 만 14세가 된 뒤에 다시 와 주세요. 상품권은 유효기간까지 그대로 쓸 수 있어요.',
    foreignTitle: '지금은 가입할 수 없어요',
    foreignBody: '아직은 내국인만 가입할 수 있어요. 상품권을 보내 준 곳에 문의해 주세요.',
    startAgain: '처음으로',
    linksHeading: '나를 아는 제휴사가 있어요',
    linksSub: '연결하면 그 앱에서도 내 자산을 볼 수 있어요. 나중에 설정에서 바꿀 수 있어요.',
    later: '나중에 정하기',
    done: '계속하기',
    welcome: '가입했어요',
    welcomeBody:
      '이제 상품권을 등록하고 금과 은을 구매할 수 있어요. 다음부터 휴대폰 본인 확인으로 로그인하고, 아이디와 비밀번호는 설정에서 정할 수 있어요.',
    register: '상품권 등록하기',
    assets: '내 자산 보기',
  },
  en: {
    title: 'Verify by phone',
    termsHeading: 'Agree to the terms to become a member',
    all: 'Agree to all',
    service: '[Required] Terms of service',
    privacy: '[Required] Personal data',
    marketing: '[Optional] News and offers',
    serviceText:
      'A registered card becomes points of the same amount; with points and deposit you can buy and sell gold and silver. Prices change with the market, and an order cannot be undone.',
    privacyText:
      'To verify who you are we take your name, date of birth, gender, mobile number and connecting information (CI), and keep them encrypted. Five years after closing they are erased, except for the CI, which is kept to know whose the assets are.',
    read: 'Read it',
    agree: 'Agree and sign up',
    identityHeading: 'Verify by phone',
    identitySub:
      'Members are logged in; if you are new, you only agree to the terms. Type it as your mobile carrier knows you.',
    codeHeading: 'Type the code',
    goOn: 'Go on',
    hello: (name: string) => `You are verified, ${name}.`,
    underTitle: 'You cannot sign up for now',
    underBody:
      'Under 14, a guardian has to consent. A guardian can register the card instead, or come back when you are 14. The card stays valid until its date.',
    foreignTitle: 'You cannot sign up for now',
    foreignBody: 'For now only Korean nationals can sign up. Please ask whoever gave you the card.',
    startAgain: 'Start',
    linksHeading: 'Some partners know you',
    linksSub: 'If you connect one, its app shows your assets too. You can change this in the settings.',
    later: 'Decide later',
    done: 'Continue',
    welcome: 'You are a member',
    welcomeBody:
      'Now you can register a card and buy gold and silver. Next time you log in by phone; in the settings you can set an id and a password.',
    register: 'Register a card',
    assets: 'My assets',
  },
}

export interface Agreed {
  service: boolean
  privacy: boolean
  marketing: boolean
}
