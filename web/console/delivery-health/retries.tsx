import { useState } from 'react'
import type { DeliveryRetry } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { withCommas } from '../../kit/format.ts'
import { type Texts, useTexts } from '../../kit/language.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { Section } from '../shared/page.tsx'
import { useMay } from '../shared/session.ts'
import { Badge, Moment } from '../shared/values.tsx'

const TEXTS = {
  ko: {
    title: '재시도 진행',
    none: '다시 보내기를 한 적이 없습니다. 아래에서 실패한 묶음을 골라 시작할 수 있습니다.',
    status: { running: '진행 중', stopped: '멈춤', done: '끝남' },
    queued: '보냄',
    skipped: '보내지 않음',
    left: '남음',
    of: (total: string) => `전체 ${total}건`,
    stop: '멈추기',
    stopTitle: '재시도 멈추기',
    stopExplain: '남은 메시지는 보내지 않습니다. 이미 대기열에 넣은 메시지는 보냅니다.',
    by: '요청',
  },
  en: {
    title: 'Retries',
    none: 'Nothing was retried yet. Choose a group of failures below to begin.',
    status: { running: 'running', stopped: 'stopped', done: 'done' },
    queued: 'queued',
    skipped: 'left alone',
    left: 'left',
    of: (total: string) => `of ${total}`,
    stop: 'Stop',
    stopTitle: 'Stop the retry',
    stopExplain: 'What is left is not sent. What was queued already is sent.',
    by: 'asked by',
  },
}

const REASONS: Texts<Record<string, string>> = {
  ko: {
    not_failed: '실패가 아님',
    not_retryable: '다시 보내지 않는 종류',
    not_valid: '사용·취소·만료된 상품권',
    arrived: '다른 메시지로 받음',
    on_its_way: '업체가 가지고 있을 수 있음',
    superseded: '뒤에 보낸 메시지가 있음',
    too_soon: '방금 보냄',
    too_often: '하루 다섯 번을 넘음',
  },
  en: {
    not_failed: 'did not fail',
    not_retryable: 'of a kind that is not sent again',
    not_valid: 'card used, cancelled or expired',
    arrived: 'arrived by another message',
    on_its_way: 'a provider may have it',
    superseded: 'a later message exists',
    too_soon: 'sent a moment ago',
    too_often: 'sent five times within a day',
  },
}

const SHOWN = 5

export function Retries({ retries, onChange }: { retries: readonly DeliveryRetry[]; onChange(): void }) {
  const texts = useTexts(TEXTS)
  const [stopping, setStopping] = useState<string>()
  return (
    <Section title={texts.title}>
      {retries.length === 0 ? (
        <p className="text-sub">{texts.none}</p>
      ) : (
        <ul className="flex flex-col">
          {retries.slice(0, SHOWN).map((retry) => (
            <Retry key={retry.id} retry={retry} onStop={() => setStopping(retry.id)} />
          ))}
        </ul>
      )}
      {stopping !== undefined && (
        <ActSheet
          open
          title={texts.stopTitle}
          explain={texts.stopExplain}
          act={texts.stop}
          onClose={() => setStopping(undefined)}
          onDone={onChange}
          run={async (reason) => {
            await callApi('POST /delivery-retries/:retryId/stop', {
              params: { retryId: stopping },
              body: { reason },
            })
            return null
          }}
        />
      )}
    </Section>
  )
}

function Retry({ retry, onStop }: { retry: DeliveryRetry; onStop(): void }) {
  const texts = useTexts(TEXTS)
  const reasons = useTexts(REASONS)
  const may = useMay()
  const { status, queued, skipped, left, total } = retry
  const alone = skipped.reduce((sum, { messages }) => sum + messages, 0)
  return (
    <li className="flex flex-col gap-1 border-b border-line py-2.5 last:border-0">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <Badge look={status === 'running' ? 'warn' : 'plain'}>{texts.status[status]}</Badge>
        <code className="font-code text-[0.875em]">
          {[retry.failure, retry.channel, retry.provider].filter(Boolean).join(' · ')}
        </code>
        <span className="text-sm text-sub">
          {retry.from} – {retry.to} · {texts.by} {retry.askedBy} · <Moment at={retry.createdAt} />
        </span>
        {status === 'running' && may('deliveries.retry') && (
          <span className="ms-auto">
            <Button look="plain" size="small" onClick={onStop}>
              {texts.stop}
            </Button>
          </span>
        )}
      </div>
      <progress
        max={total}
        value={total - left}
        aria-label={`${texts.status[status]}: ${total - left} / ${total}`}
        className="h-1.5 w-full overflow-hidden rounded-full accent-action"
      />
      {/* Only a running retry changes, so only that one is announced. */}
      <p role={status === 'running' ? 'status' : undefined} className="text-[0.9375rem] tabular-nums">
        {texts.queued} {withCommas(queued)} · {texts.skipped} {withCommas(alone)} · {texts.left}{' '}
        {withCommas(left)} <span className="text-sub">{texts.of(withCommas(total))}</span>
      </p>
      {alone > 0 && (
        <p className="text-sm text-sub">
          {skipped
            .map(({ reason, messages }) => `${reasons[reason] ?? reason} ${withCommas(messages)}`)
            .join(' · ')}
        </p>
      )}
    </li>
  )
}
