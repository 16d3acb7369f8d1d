import { useQuery } from '@tanstack/react-query'
import type { CardPage } from '../../../contract/console.gen.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { Note } from '../../kit/note.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { LoadError } from '../shared/api/refusal-message.tsx'
import { REFUSAL_REASONS } from '../shared/api/refusal-reasons.ts'
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

interface Props {
  card: CardPage
  open: boolean
  onClose(): void
  onDone(): void
}

export function ResendSheet({ card, open, onClose, onDone }: Props) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const words = useWords()
  const params = { cardId: card.giftId }
  const { data, error, refetch } = useQuery({
    queryKey: ['card', card.giftId, 'resend'],
    queryFn: () => callApi('GET /cards/:cardId/resend', { params }),
    enabled: open,
    staleTime: 0,
  })
  const explain = error ? (
    <LoadError error={error} onRetry={refetch} />
  ) : !data ? (
    <Loading lines={2} />
  ) : data.possible ? (
    <>
      <p>{texts.will(data.recipient, data.channels.map(words).join(', '))}</p>
      <p className="text-sm text-sub">{texts.limits}</p>
    </>
  ) : (
    <Note look="bad">{REFUSAL_REASONS[language][data.refusal ?? ''] ?? data.refusal}</Note>
  )
  return (
    <ActSheet
      {...{ open, onClose, onDone, explain }}
      title={texts.title}
      act={texts.act}
      run={async (reason) => {
        await callApi('POST /cards/:cardId/resend', { params, body: { reason } })
        return null
      }}
    />
  )
}
