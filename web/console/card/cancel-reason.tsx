import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { useTexts } from '../../kit/language.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { Section } from '../shared/page.tsx'

const TEXTS = {
  ko: {
    title: '취소 사유',
    sealed: '제휴사가 적은 사유는 봉인되어 있습니다. 볼 때마다 감사 기록이 남습니다.',
    show: '사유 보기',
    none: '제휴사가 적은 사유가 없습니다.',
  },
  en: {
    title: 'Reason of the cancellation',
    sealed: "A partner's reason is sealed. Every look at it is an audit entry.",
    show: 'Show the reason',
    none: 'The partner gave no reason.',
  },
}

// What a partner typed may name someone, so it is sealed and opens for a reason only.
export function CancelReason({ cardId }: { cardId: string }) {
  const texts = useTexts(TEXTS)
  const [open, setOpen] = useState(false)
  const [told, setTold] = useState<string | null>(null)
  // Every look is an audit entry. Closing forgets the text, so the next look is one, too.
  function close() {
    setOpen(false)
    setTold(null)
  }
  return (
    <Section title={texts.title}>
      <p className="pb-2 text-sub">{texts.sealed}</p>
      <Button size="small" look="quiet" onClick={() => setOpen(true)}>
        {texts.show}
      </Button>
      <ActSheet
        open={open}
        onClose={close}
        onDone={() => {}}
        title={texts.title}
        explain={texts.sealed}
        act={texts.show}
        run={async (reason) => {
          const params = { cardId }
          const answer = await callApi('POST /cards/:cardId/cancel-reason', { params, body: { reason } })
          setTold(answer.cancelReason ?? texts.none)
          return null
        }}
        result={<p className="whitespace-pre-wrap">{told}</p>}
      />
    </Section>
  )
}
