import { useQuery } from '@tanstack/react-query'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { DataTable } from '../shared/data-table.tsx'
import { Page } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { Nothing } from '../shared/values.tsx'

const TEXTS = {
  ko: {
    title: '개인정보 보관 기간',
    sub: '종류마다 얼마나 왜 보관하고 어떤 작업이 지우는지 보여 줍니다. 작업은 워커가 날마다 실행합니다.',
    what: '종류',
    kept: '보관 기간',
    why: '이유',
    job: '지우는 작업',
    tables: '테이블',
    empty: '항목이 없습니다.',
  },
  en: {
    title: 'Retention periods',
    sub: 'How long each kind of data is kept, why, and the job that erases it. The worker runs the jobs.',
    what: 'Kind of data',
    kept: 'Kept',
    why: 'Why',
    job: 'Erased by',
    tables: 'Tables',
    empty: 'There are none.',
  },
}

export default function RetentionPage() {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  // The service answers from the rules by which it erases, so this page cannot promise anything else.
  const { data, error, refetch } = useQuery({
    queryKey: ['retention'],
    queryFn: () => callApi('GET /retention'),
  })
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading />
  return (
    <Page title={texts.title} sub={texts.sub}>
      <DataTable
        caption={texts.title}
        rows={data.kinds}
        keyOf={({ kind }) => kind}
        empty={texts.empty}
        columns={[
          { key: 'what', title: texts.what, cell: ({ what }) => what[language] },
          { key: 'kept', title: texts.kept, cell: ({ kept }) => kept[language] },
          { key: 'why', title: texts.why, cell: ({ why }) => why[language] },
          {
            key: 'job',
            title: texts.job,
            cell: ({ job }) => (job ? <code className="font-code text-sm">{job}</code> : <Nothing />),
          },
        ]}
      />
    </Page>
  )
}
