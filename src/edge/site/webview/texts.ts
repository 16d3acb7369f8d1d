import type { Language } from '#edge/http/language.ts'
import type { Notice } from '#edge/site/pages/notice.ts'

// The words of the pages without script. 해요체 in Korean; an error says what to do next.
export const NOTICES = {
  bad_key: {
    ko: {
      title: '이 링크로는 들어올 수 없어요',
      body: '만료됐거나 쓸 수 없는 링크예요. 이용하던 앱으로 돌아가서 다시 열어 주세요.',
    },
    en: {
      title: 'This link does not open',
      body: 'It has expired or can no longer be used. Go back to the app you came from and open it again there.',
    },
  },
  left: {
    ko: { title: '로그아웃했어요', body: '다시 보려면 이용하던 앱에서 열어 주세요.' },
    en: { title: 'You have signed out', body: 'To see it again, open it from the app you came from.' },
  },
  ended: {
    ko: {
      title: '로그아웃됐어요',
      body: '안전을 위해 한동안 쓰지 않거나 브라우저가 쿠키를 막으면 로그아웃돼요. 계속 보려면 이용하던 앱에서 다시 열어 주세요.',
    },
    en: {
      title: 'You are signed out',
      body: 'To keep you safe, this happens when you have been away for a while, or when the browser blocks cookies. To go on, open it again from the app you came from.',
    },
  },
  frozen: {
    ko: {
      title: '지금은 이용할 수 없어요',
      body: '계정이 잠시 멈춰 있어요. 자산은 그대로 안전하게 보관하고 있어요. 고객센터에 문의해 주세요.',
    },
    en: {
      title: 'Your account is on hold',
      body: 'You cannot use it right now. Your assets are kept safe, as they are. Please contact us.',
    },
  },
  wrong: {
    ko: { title: '처리할 수 없는 요청이에요', body: '이용하던 앱으로 돌아가서 다시 열어 주세요.' },
    en: {
      title: 'This request cannot be answered',
      body: 'Go back to the app you came from and open it again there.',
    },
  },
  away: {
    ko: {
      title: '지금은 보여 드릴 수 없어요',
      body: '잠시 연결이 원활하지 않아요. 자산은 안전해요. 조금 뒤에 다시 시도해 주세요.',
      retry: '다시 시도하기',
    },
    en: {
      title: 'Not available right now',
      body: 'The connection is interrupted for a moment. Your assets are safe. Please try again shortly.',
      retry: 'Try again',
    },
  },
  failed: {
    ko: {
      title: '문제가 생겼어요',
      body: '저희 쪽의 문제예요. 조금 뒤에 다시 시도해 주세요.',
      retry: '다시 시도하기',
    },
    en: {
      title: 'Something went wrong',
      body: 'The fault is ours. Please try again shortly.',
      retry: 'Try again',
    },
  },
} as const satisfies Record<string, Record<Language, Notice>>

export type NoticeKind = keyof typeof NOTICES

type Both = Record<Language, Notice>

// What cannot be done inside a partner's app, and the address where it can.
export function elsewhere(what: 'withdraw' | 'account', address: string): Both {
  const [ko, en] =
    what === 'withdraw'
      ? ['출금은', 'Withdrawing']
      : [
          '가입, 로그인, 계정 찾기와 출금 멈추기는',
          'Signing up, logging in, recovering an account and stopping a withdrawal',
        ]
  return {
    ko: {
      title: `${ko} 이 앱 안에서 할 수 없어요`,
      body: `Ingot 웹사이트에서 할 수 있어요. 브라우저에서 ${address} 주소를 열어 주세요. 자산은 그대로 있어요.`,
      home: '내 자산으로 돌아가기',
    },
    en: {
      title: `${en} is not possible inside this app`,
      body: `It is on the Ingot website: open ${address} in a browser. Your assets stay where they are.`,
      home: 'Back to my assets',
    },
  }
}

export function withoutHome({ ko, en }: Both): Both {
  const only = ({ title, body }: Notice) => ({ title, body })
  return { ko: only(ko), en: only(en) }
}

// In the same words as the page that did it (web/member/shared/session/web-view-ended.tsx).
export function refusedNotice(site: string, contact: string): Record<Language, Notice> {
  const link = `${site}/assets`
  return {
    ko: {
      title: '연결하지 않았어요',
      body: `자산은 Ingot에 그대로 있어요. ${site} 에서 휴대폰으로 본인 확인을 하면 볼 수 있어요. 마음이 바뀌면 그곳의 설정에서 다시 연결할 수 있어요. 문의: ${contact}`,
      link: { href: link, text: 'Ingot에서 자산 보기' },
    },
    en: {
      title: 'Not connected',
      body: `Your assets are still at Ingot. Verify your identity by phone at ${site} to see them. Should you change your mind, connect again in the settings there. Contact: ${contact}`,
      link: { href: link, text: 'See my assets at Ingot' },
    },
  }
}
