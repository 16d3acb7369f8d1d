import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { DeliveryPage } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { DataTable } from '../shared/data-table.tsx'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { ObjectTimeline } from '../shared/object/object-timeline.tsx'
import type { SheetProps } from '../shared/object/preview-sheet.tsx'
import { useWords } from '../shared/object/value-words.ts'
import { Page, Section } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { RawJson } from '../shared/raw-json.tsx'
import { useMay } from '../shared/session.ts'
import { Badge, CopyId, ExactMoment, Facts, Moment, Nothing } from '../shared/values.tsx'

const TEXTS = {
  ko: {
    title: '메시지',
    summary: '요약',
    id: '발송 ID',
    card: '상품권',
    partner: '제휴사',
    recipient: '받는 사람',
    channel: '채널',
    purpose: '목적',
    status: '상태',
    reason: '업체의 답',
    retryable: '다시 시도하면 될 수 있음',
    yes: '예',
    no: '아니요',
    provider: '업체',
    messageId: '업체의 메시지 ID',
    created: '작성',
    sent: '발송',
    settled: '확정',
    due: '다음 시도',
    attempts: '시도',
    attempt: '회차',
    at: '시각',
    none: '아직 시도하지 않았습니다.',
    text: '보낸 문구',
    textHint: 'PIN과 링크는 가립니다.',
    version: '문구 버전',
    retry: '다시 보내기',
    retryTitle: '실패한 메시지 다시 보내기',
    retryWill: (to: string, channel: string) =>
      `${to}(으)로 같은 PIN이 담긴 ${channel} 메시지를 새로 보냅니다.`,
    retryRules:
      '사용·취소·만료된 상품권이거나, 다른 메시지로 이미 받았거나, 업체가 아직 가지고 있을 수 있으면 보내지 않습니다.',
    retried: '새 메시지는 상품권 페이지에 있습니다.',
  },
  en: {
    title: 'Message',
    summary: 'Summary',
    id: 'Delivery id',
    card: 'Card',
    partner: 'Partner',
    recipient: 'Recipient',
    channel: 'Channel',
    purpose: 'Purpose',
    status: 'Status',
    reason: "Provider's answer",
    retryable: 'May work if tried again',
    yes: 'yes',
    no: 'no',
    provider: 'Provider',
    messageId: "Provider's message id",
    created: 'Written',
    sent: 'Sent',
    settled: 'Settled',
    due: 'Next attempt',
    attempts: 'Attempts',
    attempt: 'Attempt',
    at: 'Time',
    none: 'Not attempted yet.',
    text: 'Text as it was sent',
    textHint: 'PIN and link are masked.',
    version: 'Version of the text',
    retry: 'Retry',
    retryTitle: 'Send the failed message again',
    retryWill: (to: string, channel: string) => `A new ${channel} with the same PIN goes to ${to}.`,
    retryRules:
      'It is refused if the card was used, cancelled or has expired, if the recipient has it by another message, or if a provider may still have it.',
    retried: "The new message is on the card's page.",
  },
}

export default function DeliveryPageView() {
  const { deliveryId } = useParams({ from: '/deliveries/$deliveryId' })
  const { data, error, refetch } = useQuery({
    queryKey: ['delivery', deliveryId],
    queryFn: () => callApi('GET /deliveries/:deliveryId', { params: { deliveryId } }),
  })
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={6} />
  return <Delivery delivery={data} onChange={refetch} />
}

function Delivery({ delivery, onChange }: { delivery: DeliveryPage; onChange(): void }) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  const may = useMay()
  const [open, setOpen] = useState(false)
  return (
    <Page
      title={`${texts.title} ${delivery.id}`}
      sub={
        <>
          <Badge look={delivery.status === 'failed' ? 'bad' : 'plain'}>{words(delivery.status)}</Badge>{' '}
          {words(delivery.channel)} · {words(delivery.purpose)} · {delivery.recipient}
        </>
      }
      actions={
        // Not for an unknown outcome: a provider may still have the message (decisions/0016).
        delivery.status === 'failed' &&
        may('deliveries.retry') && (
          <Button size="small" look="quiet" onClick={() => setOpen(true)}>
            {texts.retry}
          </Button>
        )
      }
    >
      <Summary delivery={delivery} />
      <Section title={texts.attempts}>
        <DataTable
          caption={texts.attempts}
          rows={delivery.events}
          // An event has no id. Its moment, attempt and status tell it apart.
          keyOf={({ at, attempt, status }) => `${at} ${attempt} ${status}`}
          empty={texts.none}
          columns={[
            { key: 'at', title: texts.at, cell: ({ at }) => <ExactMoment at={at} /> },
            { key: 'attempt', title: texts.attempt, figure: true, cell: ({ attempt }) => attempt },
            { key: 'provider', title: texts.provider, cell: ({ provider }) => provider ?? <Nothing /> },
            { key: 'status', title: texts.status, cell: ({ status }) => words(status) },
            {
              key: 'reason',
              title: texts.reason,
              cell: ({ reason }) => (reason ? words(reason) : <Nothing />),
            },
          ]}
        />
      </Section>
      <Section title={texts.text} aside={texts.textHint}>
        {delivery.subject && <p className="font-semibold">{delivery.subject}</p>}
        {/* Line breaks are part of the message. */}
        <p className="rounded-xl bg-ground p-4 whitespace-pre-wrap">{delivery.text}</p>
      </Section>
      {/* A message has few events. They all come with the page, so there are no further ones to load. */}
      <ObjectTimeline timeline={delivery.timeline} load={async () => ({ events: [], next: null })} />
      <RawJson value={delivery} />
      <RetrySheet {...{ delivery, open }} onClose={() => setOpen(false)} onDone={onChange} />
    </Page>
  )
}

function RetrySheet({ delivery, ...sheet }: SheetProps & { delivery: DeliveryPage }) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  return (
    <ActSheet
      {...sheet}
      title={texts.retryTitle}
      explain={
        <>
          <p>{texts.retryWill(delivery.recipient, words(delivery.channel))}</p>
          <p className="text-sm text-sub">{texts.retryRules}</p>
        </>
      }
      act={texts.retry}
      run={async (reason) => {
        const params = { deliveryId: delivery.id }
        await callApi('POST /deliveries/:deliveryId/retry', { params, body: { reason } })
        return null
      }}
      // A retry writes a new message. This page stays that of the failed one.
      result={
        <ObjectLink kind="card" id={delivery.cardId}>
          {texts.retried}
        </ObjectLink>
      }
    />
  )
}

function Summary({ delivery }: { delivery: DeliveryPage }) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  const { retryable, messageId } = delivery
  return (
    <Section title={texts.summary}>
      <Facts
        facts={[
          { name: texts.id, value: <CopyId id={delivery.id} label={texts.id} /> },
          { name: texts.card, value: <ObjectLink kind="card" id={delivery.cardId} /> },
          {
            name: texts.partner,
            value: (
              <ObjectLink kind="partner" id={delivery.partner}>
                {delivery.partnerName}
              </ObjectLink>
            ),
          },
          { name: texts.recipient, value: delivery.recipient },
          { name: texts.reason, value: delivery.reason ? words(delivery.reason) : <Nothing /> },
          {
            name: texts.retryable,
            value: retryable === null ? <Nothing /> : retryable ? texts.yes : texts.no,
          },
          { name: texts.provider, value: delivery.provider ?? <Nothing /> },
          {
            name: texts.messageId,
            value: messageId ? <CopyId id={messageId} label={texts.messageId} /> : <Nothing />,
          },
          { name: texts.created, value: <Moment at={delivery.createdAt} /> },
          { name: texts.sent, value: <Moment at={delivery.sentAt} /> },
          { name: texts.settled, value: <Moment at={delivery.settledAt} /> },
          { name: texts.due, value: <Moment at={delivery.dueAt} /> },
          { name: texts.version, value: `${delivery.version} (${delivery.language})` },
        ]}
      />
    </Section>
  )
}
