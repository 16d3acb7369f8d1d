import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ApiRequest } from '../../../contract/console.gen.ts'
import { BASE_PATH } from '../../kit/environment.ts'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { Note } from '../../kit/note.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { AUDIENCE_WORDS, CAUSE_WORDS, outcomeOf, REQUEST_WORDS } from '../shared/object/request-words.ts'
import { Page, Section } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { RawJson } from '../shared/raw-json.tsx'
import { Badge, CopyId, type Fact, Facts, Moment, Nothing } from '../shared/values.tsx'

const TEXTS = {
  ko: {
    title: 'API 요청',
    summary: '요약',
    id: '요청 ID',
    at: '받은 시각',
    call: '호출',
    audience: '보낸 곳',
    answer: '응답',
    code: '오류 코드',
    cause: '원인',
    time: '걸린 시간',
    ms: (ms: string) => `${ms} ms`,
    partner: '제휴사',
    key: 'API 키',
    staff: '담당자',
    member: '회원',
    object: '대상',
    log: (days: number) =>
      `이 기록은 ${days}일 동안 보관합니다. 서버 로그에서 이 ID를 찾으면 오류의 위치 등 더 자세한 내용이 있습니다. 주소와 본문은 어디에도 남기지 않습니다.`,
    none: '기록이 없는 요청입니다. 변경이나 오류 없이 조회만 한 요청, 보관 기간이 지난 요청은 기록이 없습니다. 서버 로그에서 이 ID를 찾아 주세요.',
  },
  en: {
    title: 'API request',
    summary: 'Summary',
    id: 'Request id',
    at: 'Arrived',
    call: 'Call',
    audience: 'From',
    answer: 'Answer',
    code: 'Error code',
    cause: 'Cause',
    time: 'Took',
    ms: (ms: string) => `${ms} ms`,
    partner: 'Partner',
    key: 'API key',
    staff: 'Staff',
    member: 'Member',
    object: 'About',
    log: (days: number) =>
      `This record is kept for ${days} days. The log of the server has more under this id, such as where an error arose. The address and the body are kept nowhere.`,
    none: 'There is no record of this request. One that only read something, or is older than records are kept, has none. Look for its id in the log of the server.',
  },
}

export default function RequestPage() {
  const texts = useTexts(TEXTS)
  const { apiRequestId } = useParams({ from: '/requests/$apiRequestId' })
  const { data, error, refetch } = useQuery({
    queryKey: ['request', apiRequestId],
    queryFn: () => callApi('GET /requests/:apiRequestId', { params: { apiRequestId } }),
  })
  // A missing record is no error: successful reads leave none, and records end after 30 days.
  if (error && refusalOf(error).code === 'not_found')
    return (
      <Page title={texts.title} sub={<CopyId id={apiRequestId} label={texts.id} />}>
        <Note>{texts.none}</Note>
      </Page>
    )
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={6} />
  return <Request request={data} />
}

function Request({ request }: { request: ApiRequest }) {
  const texts = useTexts(TEXTS)
  const outcomes = useTexts(REQUEST_WORDS)
  const { word, look } = outcomeOf(request.status)
  return (
    <Page
      title={texts.title}
      sub={
        <>
          <Badge look={look}>{outcomes[word]}</Badge> <Call request={request} />
        </>
      }
    >
      <Section title={texts.summary}>
        <Facts facts={useFacts(request)} />
        <p className="pt-3 text-sm text-sub">{texts.log(request.keptDays)}</p>
      </Section>
      <RawJson value={request} />
    </Page>
  )
}

function useFacts(request: ApiRequest): Fact[] {
  const texts = useTexts(TEXTS)
  const audiences = useTexts(AUDIENCE_WORDS)
  const { object, partner, memberId, keyId } = request
  return [
    { name: texts.id, value: <CopyId id={request.id} label={texts.id} /> },
    { name: texts.object, value: object ? <ObjectLink {...object} /> : <Nothing /> },
    { name: texts.at, value: <Moment at={request.at} /> },
    { name: texts.time, value: texts.ms(String(request.ms)) },
    { name: texts.call, value: <Call request={request} /> },
    { name: texts.audience, value: audiences[request.audience] },
    { name: texts.answer, value: request.status },
    { name: texts.code, value: request.code ? <Code code={request.code} /> : <Nothing /> },
    { name: texts.cause, value: request.reason ? <Cause reason={request.reason} /> : <Nothing /> },
    {
      name: texts.partner,
      value: partner ? (
        <ObjectLink kind="partner" id={partner}>
          {request.partnerName ?? partner}
        </ObjectLink>
      ) : (
        <Nothing />
      ),
    },
    { name: texts.key, value: keyId ? <CopyId id={keyId} label={texts.key} /> : <Nothing /> },
    { name: texts.staff, value: request.staff ?? <Nothing /> },
    { name: texts.member, value: memberId ? <ObjectLink kind="member" id={memberId} /> : <Nothing /> },
  ]
}

// The route, not the path: an address may have personal data and is kept nowhere.
function Call({ request: { method, route } }: { request: ApiRequest }) {
  return (
    <code className="font-code text-[0.875em] wrap-anywhere">
      {method} {route}
    </code>
  )
}

// Its page says what it means, as partners read it.
function Code({ code }: { code: string }) {
  return (
    <a
      href={`${BASE_PATH}/errors/${code}`}
      className="text-link underline decoration-line underline-offset-2 hover:decoration-current"
    >
      <code className="font-code text-[0.875em]">{code}</code>
    </a>
  )
}

function Cause({ reason }: { reason: string }) {
  const words = useTexts(CAUSE_WORDS)
  // Several causes, such as the names of bad fields, stand in one text.
  return reason
    .split(' ')
    .map((part) => words[part] ?? part)
    .join(', ')
}
