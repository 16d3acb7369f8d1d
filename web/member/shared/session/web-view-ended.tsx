import { buttonClass } from '../../../kit/button.tsx'
import { Card } from '../../../kit/card.tsx'
import { BASE_PATH, CONTACT } from '../../../kit/environment.ts'
import { useLanguage, useTexts } from '../../../kit/language.tsx'
import { sayContact } from '../api/refusal-texts.ts'

const TEXTS = {
  ko: {
    left: '로그아웃했어요',
    leftBody: '다시 보려면 이용하던 앱에서 열어 주세요.',
    refused: '연결하지 않았어요',
    refusedBody: (site: string) =>
      `자산은 Ingot에 그대로 있어요. ${site} 에서 휴대폰으로 본인 확인을 하면 볼 수 있어요. 마음이 바뀌면 그곳의 설정에서 다시 연결할 수 있어요.`,
    toSite: 'Ingot에서 자산 보기',
    ended: '로그아웃됐어요',
    endedBody: '안전을 위해 한동안 쓰지 않으면 로그아웃돼요. 계속 보려면 이용하던 앱에서 다시 열어 주세요.',
  },
  en: {
    left: 'You have signed out',
    leftBody: 'To see it again, open it from the app you came from.',
    refused: 'Not connected',
    refusedBody: (site: string) =>
      `Your assets are still at Ingot. Verify your identity by phone at ${site} to see them. Should you change your mind, connect again in the settings there.`,
    toSite: 'See my assets at Ingot',
    ended: 'You are signed out',
    endedBody:
      'To keep you safe, this happens when you have been away for a while. To go on, open it again from the app you came from.',
  },
}

// A web view that ended. Only the partner's app can open another, so there is no button.
export function WebViewEnded({ left = false }: { left?: boolean }) {
  const texts = useTexts(TEXTS)
  return (
    <Card className="flex flex-col gap-2 py-8">
      <h1 className="text-[1.375rem] font-bold">{left ? texts.left : texts.ended}</h1>
      <p className="text-sub">{left ? texts.leftBody : texts.endedBody}</p>
    </Card>
  )
}

// After refusing a web view's link no app opens it again: this says where the assets are and how to reach them. After a
// reload the service says the same (src/edge/site/webview/texts.ts).
export function LinkRefused() {
  const { language } = useLanguage()
  const texts = useTexts(TEXTS)
  const site = `${window.location.origin}${BASE_PATH}`
  return (
    <Card className="flex flex-col gap-3 py-8">
      {/* Focused, so that a screen reader announces what happened. */}
      <h1 tabIndex={-1} ref={(heading) => heading?.focus()} className="text-[1.375rem] font-bold">
        {texts.refused}
      </h1>
      <p className="wrap-anywhere text-body">{texts.refusedBody(site)}</p>
      <p className="text-sub">{sayContact(CONTACT, language)}</p>
      <a
        href={`${site}/assets`}
        // In a window of its own, because no app's frame may show the website.
        target="_blank"
        rel="noopener noreferrer"
        className={buttonClass('main', 'mt-2')}
      >
        {texts.toSite}
      </a>
    </Card>
  )
}
