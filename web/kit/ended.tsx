import { useTexts } from './language.tsx'
import { Card } from './parts.tsx'

const TEXTS = {
  ko: {
    left: '로그아웃했어요',
    leftBody: '다시 보려면 이용하던 앱에서 열어 주세요.',
    ended: '로그아웃됐어요',
    endedBody: '안전을 위해 한동안 쓰지 않으면 로그아웃돼요. 계속 보려면 이용하던 앱에서 다시 열어 주세요.',
  },
  en: {
    left: 'You have signed out',
    leftBody: 'To see it again, open it from the app you came from.',
    ended: 'You are signed out',
    endedBody:
      'To keep you safe, this happens when you have been away for a while. To go on, open it again from the app you came from.',
  },
}

// The end of a web view: only the partner's app opens another.
export function Ended({ left = false }: { left?: boolean }) {
  const texts = useTexts(TEXTS)
  return (
    <Card className="flex flex-col gap-2 py-8">
      <h1 className="text-[1.375rem] font-bold">{left ? texts.left : texts.ended}</h1>
      <p className="text-sub">{left ? texts.leftBody : texts.endedBody}</p>
    </Card>
  )
}
