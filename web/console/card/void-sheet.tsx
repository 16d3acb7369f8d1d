import type { CardPage, VoidPreview } from '../../../contract/console.gen.ts'
import { useTexts, useWon } from '../../kit/language.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { PreviewSheet, type SheetProps } from '../shared/object/preview-sheet.tsx'
import { useWords } from '../shared/object/value-words.ts'

const TEXTS = {
  ko: {
    title: '상품권 취소하기',
    refund: (amount: string, before: string, after: string) =>
      `${amount}이 제휴사 미수금에서 빠집니다: ${before} → ${after}.`,
    withdrawn: (count: number) => `아직 나가지 않은 메시지 ${count}건은 보내지 않습니다.`,
    told: (channels: string) => `받는 사람에게 취소를 안내합니다: ${channels}.`,
    untold: '받는 사람에게 나간 메시지가 없어 안내하지 않습니다.',
    pin: 'PIN은 지워지고 되돌릴 수 없습니다.',
    waits: '금액이 커서 다른 사람이 승인해야 실행됩니다.',
    sure: '정말 취소할까요?',
    act: '취소하기',
  },
  en: {
    title: 'Void the card',
    refund: (amount: string, before: string, after: string) =>
      `${amount} leaves what the partner owes: ${before} → ${after}.`,
    withdrawn: (count: number) => `${count} message(s) that have not left are withdrawn.`,
    told: (channels: string) => `The recipient is told of the cancellation: ${channels}.`,
    untold: 'No message has reached the recipient, so nothing is told.',
    pin: 'The PIN is erased. This cannot be undone.',
    waits: 'The amount is large: it happens when another person approves it.',
    sure: 'Void this card?',
    act: 'Void',
  },
}

// Two steps: what will happen and why, then the act.
export function VoidSheet({ card, ...sheet }: SheetProps & { card: CardPage }) {
  const texts = useTexts(TEXTS)
  const params = { cardId: card.giftId }
  return (
    <PreviewSheet
      {...sheet}
      title={texts.title}
      act={texts.act}
      look="sell"
      queryKey={['card', card.giftId, 'void']}
      load={() => callApi('GET /cards/:cardId/void', { params })}
      tell={(preview) => <Consequences preview={preview} />}
      sure={texts.sure}
      run={(reason) => callApi('POST /cards/:cardId/void', { params, body: { reason } })}
    />
  )
}

function Consequences({ preview }: { preview: VoidPreview }) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  const won = useWon()
  const { amount, owed, owedAfter, withdrawn, told, waits } = preview
  return (
    <ul className="list-disc ps-5">
      <li>{texts.refund(won(amount), won(owed), won(owedAfter))}</li>
      {withdrawn > 0 && <li>{texts.withdrawn(withdrawn)}</li>}
      <li>{told.length > 0 ? texts.told(told.map(words).join(', ')) : texts.untold}</li>
      <li>{texts.pin}</li>
      {/* The service decides from which amount on a void takes two people (`VOID_APPROVAL_FROM`). */}
      {waits && <li className="font-semibold">{texts.waits}</li>}
    </ul>
  )
}
