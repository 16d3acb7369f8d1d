import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { Page, Section } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { RawJson } from '../shared/raw-json.tsx'
import { CopyId } from '../shared/values.tsx'
import { RequestActs, RequestDetails, RequestHeading } from './request.tsx'

const TEXTS = { ko: { title: '승인 요청', id: '요청 ID' }, en: { title: 'Request', id: 'Request id' } }

export default function RequestPage() {
  const texts = useTexts(TEXTS)
  const { requestId } = useParams({ from: '/approvals/$requestId' })
  const { data, error, refetch } = useQuery({
    queryKey: ['approvals', 'one', requestId],
    queryFn: () => callApi('GET /approvals/:requestId', { params: { requestId } }),
  })
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={5} />
  return (
    <Page title={texts.title} sub={<RequestHeading request={data} />}>
      <Section title={texts.title} aside={<CopyId id={data.id} label={texts.id} />}>
        <div className="flex flex-col gap-3">
          <RequestDetails request={data} />
          <RequestActs request={data} />
        </div>
      </Section>
      <RawJson value={data} />
    </Page>
  )
}
