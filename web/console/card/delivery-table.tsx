import type { CardDelivery } from '../../../contract/console.gen.ts'
import { useTexts } from '../../kit/language.tsx'
import { DataTable } from '../shared/data-table.tsx'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { useWords } from '../shared/object/value-words.ts'
import { Badge, Moment } from '../shared/values.tsx'

const TEXTS = {
  ko: {
    title: '메시지',
    channel: '채널',
    purpose: '목적',
    status: '상태',
    attempts: '시도',
    provider: '업체',
    created: '작성',
    empty: '메시지가 없습니다.',
  },
  en: {
    title: 'Messages',
    channel: 'Channel',
    purpose: 'Purpose',
    status: 'Status',
    attempts: 'Attempts',
    provider: 'Provider',
    created: 'Written',
    empty: 'There are no messages.',
  },
}

export function DeliveryTable({ deliveries }: { deliveries: readonly CardDelivery[] }) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  return (
    <DataTable
      caption={texts.title}
      rows={deliveries}
      keyOf={({ id }) => id}
      empty={texts.empty}
      columns={[
        {
          key: 'channel',
          title: texts.channel,
          cell: ({ id, channel }) => (
            <ObjectLink kind="delivery" id={id}>
              {words(channel)}
            </ObjectLink>
          ),
        },
        { key: 'purpose', title: texts.purpose, cell: ({ purpose }) => words(purpose) },
        {
          key: 'status',
          title: texts.status,
          cell: ({ status, reason }) => (
            <>
              <Badge look={status === 'failed' ? 'bad' : status === 'delivered' ? 'good' : 'plain'}>
                {words(status)}
              </Badge>{' '}
              {reason && words(reason)}
            </>
          ),
        },
        { key: 'attempts', title: texts.attempts, figure: true, cell: ({ attempts }) => attempts },
        { key: 'provider', title: texts.provider, cell: ({ provider }) => provider ?? '–' },
        { key: 'created', title: texts.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
      ]}
    />
  )
}
