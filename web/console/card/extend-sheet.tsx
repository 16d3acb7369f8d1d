import type { CardPage } from '../../../contract/console.gen.ts'
import { date } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { PreviewSheet, type SheetProps } from '../shared/object/preview-sheet.tsx'

const TEXTS = {
  ko: {
    title: '유효기간 연장하기',
    will: (from: string, to: string) => `마지막 날이 ${from}에서 ${to}(으)로 바뀝니다.`,
    policy: (version: string) => `산 날의 환불 정책 ${version}에 따릅니다.`,
    once: '한 상품권은 한 번만 연장할 수 있고, 되돌릴 수 없습니다.',
    sure: '정말 연장할까요?',
    act: '연장하기',
  },
  en: {
    title: 'Extend the card',
    will: (from: string, to: string) => `Its last day moves from ${from} to ${to}.`,
    policy: (version: string) => `By the refund policy of the day it was bought, ${version}.`,
    once: 'A card is extended once. This cannot be undone.',
    sure: 'Extend this card?',
    act: 'Extend',
  },
}

export function ExtendSheet({ card, ...sheet }: SheetProps & { card: CardPage }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const params = { cardId: card.giftId }
  // The days are missing only in a refusal, and then this text is not shown.
  const day = (iso: string | null) => date(iso ?? '', language)
  return (
    <PreviewSheet
      {...sheet}
      title={texts.title}
      act={texts.act}
      queryKey={['card', card.giftId, 'extension']}
      load={() => callApi('GET /cards/:cardId/extension', { params })}
      tell={({ fromDay, toDay, policy }) => (
        <ul className="list-disc ps-5">
          <li className="font-semibold">{texts.will(day(fromDay), day(toDay))}</li>
          <li>{texts.policy(policy ?? '')}</li>
          <li>{texts.once}</li>
        </ul>
      )}
      sure={texts.sure}
      run={async (reason) => {
        await callApi('POST /cards/:cardId/extend', { params, body: { reason } })
        return null
      }}
    />
  )
}
