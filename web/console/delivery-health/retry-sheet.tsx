import type { FailureFigure } from '../../../contract/console.gen.ts'
import { withCommas } from '../../kit/format.ts'
import { useTexts } from '../../kit/language.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { useWords } from '../shared/object/value-words.ts'

const TEXTS = {
  ko: {
    title: '실패한 메시지 다시 보내기',
    explain: (count: string, from: string, to: string) =>
      `${from}부터 ${to}까지 이 이유로 실패한 ${count}건을 차례로 확인해 다시 보냅니다.`,
    rules:
      '사용·취소·만료된 상품권, 다른 메시지로 이미 받은 경우, 업체가 아직 가지고 있을 수 있는 메시지는 보내지 않습니다.',
    confirm: '지금 시작할까요? 진행 중에도 멈출 수 있습니다.',
    act: '다시 보내기 시작',
  },
  en: {
    title: 'Send failed messages again',
    explain: (count: string, from: string, to: string) =>
      `The worker goes through ${count} messages that failed for this reason from ${from} to ${to}.`,
    rules:
      'It leaves alone used, cancelled and expired cards, recipients who have the card by another message, and what a provider may still have.',
    confirm: 'Begin now? It can be stopped at any time.',
    act: 'Begin',
  },
}

interface Props {
  failure: FailureFigure
  from: string
  to: string
  onClose(): void
  onDone(): void
}

export function RetrySheet({ failure, from, to, onClose, onDone }: Props) {
  const texts = useTexts(TEXTS)
  const { channel, provider, reason, messages } = failure
  const words = useWords()
  // Both steps name the group, so that nobody starts another one by mistake.
  const what = <p>{[reason && words(reason), words(channel), provider].filter(Boolean).join(' · ')}</p>
  return (
    <ActSheet
      open
      onClose={onClose}
      title={texts.title}
      explain={
        <div className="flex flex-col gap-2">
          {what}
          <p>{texts.explain(withCommas(messages), from, to)}</p>
          <p className="text-sm text-sub">{texts.rules}</p>
        </div>
      }
      confirm={
        <div className="flex flex-col gap-2">
          {what}
          <p>{texts.confirm}</p>
        </div>
      }
      act={texts.act}
      // `reason` is why the messages failed. `why` is what the person typed.
      run={async (why) => {
        await callApi('POST /delivery-retries', {
          body: {
            channel,
            from,
            to,
            reason: why,
            ...(reason && { failure: reason }),
            ...(provider && { provider }),
          },
        })
        return null
      }}
      onDone={onDone}
    />
  )
}
