export const TEXTS = {
  ko: {
    title: '출금 멈추기',
    open: '이 출금을 멈출까요?',
    openSub: '본인이 신청한 출금이 아니라면 바로 멈춰 주세요. 로그인하지 않아도 돼요.',
    amount: '금액',
    account: '계좌',
    requestedAt: '신청한 때',
    waitsUntil: '지급 예정',
    from: (moment: string) => `${moment} 이후`,
    effects: [
      '아직 보내지 않은 출금을 모두 취소하고, 금액을 예치금으로 돌려놓아요.',
      '모든 기기에서 로그아웃해요.',
      '본인 확인으로 계정을 되찾을 때까지 출금을 막아요.',
    ],
    stop: '출금 멈추기',
    mine: '본인이 신청했다면 이 화면을 닫아 주세요.',
    late: '이미 지급을 준비하고 있어요',
    lateSub:
      '은행에 전달됐을 수 있어 바로 취소하지 못해요. 모든 기기에서 로그아웃하고, 새 출금을 막고, 담당자에게 알릴게요.',
    lateStop: '계정 잠그고 알리기',
    told: '담당자에게 알렸어요',
    toldSub: '모든 기기에서 로그아웃하고 새 출금을 막았어요. 아래 문의처로 바로 연락해 주세요.',
    stopped: '출금을 멈췄어요',
    stoppedSub:
      '금액은 예치금으로 돌아왔고, 모든 기기에서 로그아웃했어요. 다시 출금하려면 본인 확인을 해 주세요.',
    paid: '이미 지급됐어요',
    paidSub: '본인이 신청하지 않았다면 아래 문의처로 바로 연락하고, 본인 확인으로 계정을 되찾아 주세요.',
    lockSub: (others: number) =>
      others > 0
        ? `아직 보내지 않은 다른 출금이 ${others}건 있어요. 본인이 신청하지 않았다면 바로 멈춰 주세요.`
        : '본인이 신청하지 않았다면 다른 사람이 로그인해 있을 수 있어요. 바로 계정을 잠가 주세요.',
    lock: (others: number) => (others > 0 ? `다른 출금 ${others}건 멈추기` : '계정 잠그기'),
    locked: '계정을 잠갔어요',
    lockedSub:
      '이 출금은 이미 지급됐어요. 모든 기기에서 로그아웃하고 새 출금을 막았어요. 아래 문의처로 바로 연락하고, 본인 확인으로 계정을 되찾아 주세요.',
    gone: '이미 취소되거나 거절된 출금이에요',
    othersSub:
      '아직 보내지 않은 다른 출금이 있어요. 본인이 신청하지 않았다면 그 출금의 문자에 있는 주소로 멈춰 주세요.',
    ended: '멈출 것이 없어요',
    endedSub: '이미 취소되거나 거절된 출금이에요. 보내지 않았어요.',
    unknown: '쓸 수 없는 주소예요',
    unknownSub: '문자에 있는 주소를 처음부터 끝까지 그대로 열어 주세요.',
    contact: '문의',
    recover: '본인 확인하기',
  },
  en: {
    title: 'Stop a withdrawal',
    open: 'Stop this withdrawal?',
    openSub: 'If you did not ask for it, stop it now. You do not need to log in.',
    amount: 'Amount',
    account: 'Account',
    requestedAt: 'Requested',
    waitsUntil: 'To be paid',
    from: (moment: string) => `after ${moment}`,
    effects: [
      'Every withdrawal that is not sent yet is cancelled, and the won go back to your deposit.',
      'Every device is signed out.',
      'Nothing can be withdrawn until you verify your identity and recover the account.',
    ],
    stop: 'Stop the withdrawal',
    mine: 'If it was you, just close this page.',
    late: 'It is being paid already',
    lateSub:
      'The bank may have been told, so it cannot be cancelled here. We can sign out every device, stop new withdrawals and tell our staff.',
    lateStop: 'Lock the account and tell staff',
    told: 'Our staff have been told',
    toldSub: 'Every device is signed out and new withdrawals are stopped. Please also contact us now.',
    stopped: 'The withdrawal is stopped',
    stoppedSub:
      'The won are back in your deposit, and every device is signed out. To withdraw again, verify your identity.',
    paid: 'It has been paid already',
    paidSub:
      'If you did not ask for it, contact us at once, and verify your identity to recover the account.',
    lockSub: (others: number) =>
      others > 0
        ? `Other withdrawals that are not sent yet: ${others}. If you did not ask for them, stop them now.`
        : 'If you did not ask for it, somebody else may be signed in. Lock the account now.',
    lock: (others: number) => (others > 0 ? `Stop the other withdrawals (${others})` : 'Lock the account'),
    locked: 'The account is locked',
    lockedSub:
      'This withdrawal has been paid already. Every device is signed out and new withdrawals are stopped. Contact us at once, and verify your identity to recover the account.',
    gone: 'This withdrawal was cancelled or refused',
    othersSub:
      'Other withdrawals are not sent yet. If you did not ask for them, stop them with the link in their own messages.',
    ended: 'There is nothing to stop',
    endedSub: 'This withdrawal was cancelled or refused. Nothing was sent.',
    unknown: 'This address does not work',
    unknownSub: 'Open the address from the message exactly as it is, to its end.',
    contact: 'Contact',
    recover: 'Verify identity',
  },
}
