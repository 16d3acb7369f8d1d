import type { CardPage } from '../../../contract/console.gen.ts'
import { useTexts } from '../../kit/language.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { PreviewSheet, type SheetProps } from '../shared/object/preview-sheet.tsx'
import { useWords } from '../shared/object/value-words.ts'

const TEXTS = {
  ko: {
    title: '상품권 다시 보내기',
    will: (to: string, channels: string) =>
      `${to}(으)로 같은 PIN이 담긴 메시지를 다시 보냅니다. 채널: ${channels}.`,
    limits: '한 상품권은 1분에 한 번, 하루에 다섯 번까지 다시 보낼 수 있습니다.',
    act: '다시 보내기',
  },
  en: {
    title: 'Send the card again',
    will: (to: string, channels: string) =>
      `The same message with the same PIN goes to ${to} again, by ${channels}.`,
    limits: 'A card is sent again once a minute and five times a day at most.',
    act: 'Send again',
  },
}

export function ResendSheet({ card, ...sheet }: SheetProps & { card: CardPage }) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  const params = { cardId: card.giftId }
  return (
    <PreviewSheet
      {...sheet}
      title={texts.title}
      act={texts.act}
      queryKey={['card', card.giftId, 'resend']}
      // The service names the masked recipient and the channels. The page does not know the number.
      load={() => callApi('GET /cards/:cardId/resend', { params })}
      tell={({ recipient, channels }) => (
        <>
          <p>{texts.will(recipient, channels.map(words).join(', '))}</p>
          {/* The service refuses beyond these limits, so the person reads them before. */}
          <p className="text-sm text-sub">{texts.limits}</p>
        </>
      )}
      run={async (reason) => {
        await callApi('POST /cards/:cardId/resend', { params, body: { reason } })
        return null
      }}
    />
  )
}
