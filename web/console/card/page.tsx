import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { CardPage } from '../../../contract/console.gen.ts'
import { date } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { Note } from '../../kit/note.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { ObjectTimeline } from '../shared/object/object-timeline.tsx'
import { TransferTable } from '../shared/object/transfer-table.tsx'
import { useWords } from '../shared/object/value-words.ts'
import { Page, Section } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { RawJson } from '../shared/raw-json.tsx'
import { useMay } from '../shared/session.ts'
import { Badge, CopyId, Facts, Moment, Won } from '../shared/values.tsx'
import { CancelReason } from './cancel-reason.tsx'
import { CardActs } from './card-acts.tsx'
import { DeliveryTable } from './delivery-table.tsx'
import { Refunded } from './refunded.tsx'
import { TEXTS } from './texts.ts'

export default function CardPageView() {
  const { cardId } = useParams({ from: '/cards/$cardId' })
  const { data, error, refetch } = useQuery({
    queryKey: ['card', cardId],
    queryFn: () => callApi('GET /cards/:cardId', { params: { cardId } }),
  })
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={6} />
  return <Card card={data} onChange={refetch} />
}

function Card({ card, onChange }: { card: CardPage; onChange(): void }) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  const may = useMay()
  return (
    <Page
      title={texts.title}
      sub={
        <>
          <Badge look={card.status === 'issued' ? 'good' : 'plain'}>{words(card.status)}</Badge>{' '}
          <Won amount={card.amount} /> · {card.partnerName}
        </>
      }
      actions={<CardActs {...{ card, onChange }} />}
    >
      <Summary card={card} />
      <Waits text={texts.refundWaits} request={card.refundWaits} />
      <Waits text={texts.voidWaits} request={card.voidWaits} />
      {card.refund && <Refunded refund={card.refund} />}
      <Section title={texts.money}>
        <TransferTable transfers={card.transfers} />
      </Section>
      <Section title={texts.messages}>
        <DeliveryTable deliveries={card.deliveries} />
      </Section>
      {/* The reason of a cancellation may name someone, so it takes the permission to reveal people. */}
      {card.status === 'voided' && may('members.reveal') && <CancelReason cardId={card.giftId} />}
      <ObjectTimeline
        timeline={card.timeline}
        load={(below) =>
          callApi('GET /cards/:cardId/timeline', { params: { cardId: card.giftId }, query: { below } })
        }
      />
      <RawJson value={card} />
    </Page>
  )
}

// A card has one refund and one void, so the page shows the request that waits instead of the button.
function Waits({ text, request }: { text: string; request: string | null }) {
  const texts = useTexts(TEXTS)
  if (request === null) return null
  return (
    <Note look="warn">
      {text}{' '}
      <ObjectLink kind="request" id={request}>
        {texts.seeRequest}
      </ObjectLink>
    </Note>
  )
}

function Summary({ card }: { card: CardPage }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const { usedBy } = card
  return (
    <Section
      title={texts.summary}
      aside={
        <>
          {texts.asOf} <Moment at={card.now} />
        </>
      }
    >
      <Facts
        facts={[
          { name: texts.giftId, value: <CopyId id={card.giftId} label="giftId" /> },
          { name: texts.txId, value: <CopyId id={card.txId} label="txId" /> },
          { name: texts.number, value: <CopyId id={String(card.number)} label={texts.number} /> },
          {
            name: texts.partner,
            value: (
              <ObjectLink kind="partner" id={card.partner}>
                {`${card.partnerName} (${card.partner})`}
              </ObjectLink>
            ),
          },
          { name: texts.amount, value: <Won amount={card.amount} /> },
          { name: texts.recipient, value: card.recipient },
          { name: texts.issuedAt, value: <Moment at={card.issuedAt} /> },
          { name: texts.expires, value: date(card.expires, language) },
          ...(card.extendedFrom
            ? [{ name: texts.extendedFrom, value: date(card.extendedFrom, language) }]
            : []),
          { name: texts.cancelUntil, value: date(card.cancelUntil, language) },
          { name: texts.usedAt, value: <Moment at={card.usedAt} /> },
          ...(usedBy
            ? [
                {
                  name: texts.usedBy,
                  value: (
                    <ObjectLink kind="member" id={usedBy.memberId}>
                      {[usedBy.name, usedBy.loginId].filter(Boolean).join(' ') || usedBy.memberId}
                    </ObjectLink>
                  ),
                },
              ]
            : []),
          { name: texts.voidedAt, value: <Moment at={card.voidedAt ?? card.expiredAt} /> },
          { name: texts.apiKey, value: <CopyId id={card.apiKeyId} label={texts.apiKey} /> },
        ]}
      />
    </Section>
  )
}
