import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { UserPage } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { DataTable } from '../shared/data-table.tsx'
import { ObjectLink } from '../shared/object/object-link.tsx'
import { ObjectTimeline } from '../shared/object/object-timeline.tsx'
import { PersonReveal } from '../shared/object/person-reveal.tsx'
import { TransferTable } from '../shared/object/transfer-table.tsx'
import { useWords } from '../shared/object/value-words.ts'
import { Page, Section } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { RawJson } from '../shared/raw-json.tsx'
import { useMay } from '../shared/session.ts'
import { Badge, CopyId, Facts, Moment } from '../shared/values.tsx'

const TEXTS = {
  ko: {
    title: '제휴사 사용자',
    summary: '요약',
    asOf: '기준',
    id: '연결 ID',
    partner: '제휴사',
    key: '사용자 키',
    status: '상태',
    confirmed: '회원 확인',
    yes: '확인함',
    no: '아직 결정하지 않음',
    member: '회원',
    registered: '등록',
    registeredBy: '등록한 곳',
    detailsAt: '정보를 받은 때',
    money: '자금',
    hashKeys: '해시 키',
    hashHint: '최근 하루. 키 값은 어디에도 저장하지 않습니다.',
    issued: '발급',
    expires: '만료',
    used: '사용',
    noKeys: '최근 하루에 발급한 해시 키가 없습니다.',
    suspend: '정지하기',
    resume: '재개하기',
    suspendWill: '이 제휴사와의 연결을 닫습니다. 해시 키와 웹뷰 세션이 바로 끝나고 되살아나지 않습니다.',
    resumeWill: '연결을 다시 엽니다. 전의 해시 키와 세션은 되살아나지 않습니다.',
  },
  en: {
    title: 'Partner user',
    summary: 'Summary',
    asOf: 'as of',
    id: 'Link id',
    partner: 'Partner',
    key: 'User key',
    status: 'Status',
    confirmed: 'Confirmed by the member',
    yes: 'yes',
    no: 'not decided',
    member: 'Member',
    registered: 'Registered',
    registeredBy: 'Registered by',
    detailsAt: 'Details received',
    money: 'Money',
    hashKeys: 'Hash keys',
    hashHint: 'Of the last day. Their values are stored nowhere.',
    issued: 'Issued',
    expires: 'Expires',
    used: 'Used',
    noKeys: 'No hash key was issued in the last day.',
    suspend: 'Suspend',
    resume: 'Resume',
    suspendWill:
      'Closes the link to this partner. Its hash keys and web views end at once and do not come back.',
    resumeWill: 'Opens the link again. Earlier hash keys and sessions do not come back.',
  },
}

export default function UserPageView() {
  const { userId } = useParams({ from: '/users/$userId' })
  const { data, error, refetch } = useQuery({
    queryKey: ['user', userId],
    queryFn: () => callApi('GET /users/:userId', { params: { userId } }),
  })
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={6} />
  return <User user={data} onChange={refetch} />
}

function User({ user, onChange }: { user: UserPage; onChange(): void }) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  const may = useMay()
  const [open, setOpen] = useState(false)
  const params = { userId: user.id }
  const isOpen = user.status === 'active'
  return (
    <Page
      title={texts.title}
      sub={
        <>
          <Badge look={isOpen ? 'good' : 'warn'}>{words(user.status)}</Badge> {user.partnerName} ·{' '}
          {user.person.name}
        </>
      }
      actions={
        may('users.change') &&
        ['active', 'suspended'].includes(user.status) && (
          <Button size="small" look={isOpen ? 'sell' : 'quiet'} onClick={() => setOpen(true)}>
            {isOpen ? texts.suspend : texts.resume}
          </Button>
        )
      }
    >
      <Summary user={user} />
      <PersonReveal
        masked={user.person}
        reveal={(reason) => callApi('POST /users/:userId/reveal', { params, body: { reason } })}
        // Looking is an event of the timeline, so the page is loaded again.
        onDone={onChange}
      />
      {/* A link holds value only until the member has decided on it, so many have no transfers. */}
      {user.transfers.length > 0 && (
        <Section title={texts.money}>
          <TransferTable transfers={user.transfers} />
        </Section>
      )}
      <HashKeys user={user} />
      <ObjectTimeline
        timeline={user.timeline}
        load={(below) => callApi('GET /users/:userId/timeline', { params, query: { below } })}
      />
      <RawJson value={user} />
      <ActSheet
        open={open}
        onClose={() => setOpen(false)}
        onDone={onChange}
        title={isOpen ? texts.suspend : texts.resume}
        act={isOpen ? texts.suspend : texts.resume}
        look={isOpen ? 'sell' : 'main'}
        explain={isOpen ? texts.suspendWill : texts.resumeWill}
        run={async (reason) => {
          const call = isOpen ? 'POST /users/:userId/suspend' : 'POST /users/:userId/resume'
          await callApi(call, { params, body: { reason } })
          return null
        }}
      />
    </Page>
  )
}

function HashKeys({ user }: { user: UserPage }) {
  const texts = useTexts(TEXTS)
  return (
    <Section title={texts.hashKeys} aside={texts.hashHint}>
      <DataTable
        caption={texts.hashKeys}
        rows={user.hashKeys}
        keyOf={({ issuedAt }) => issuedAt}
        empty={texts.noKeys}
        columns={[
          { key: 'issued', title: texts.issued, cell: ({ issuedAt }) => <Moment at={issuedAt} /> },
          { key: 'expires', title: texts.expires, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
          { key: 'used', title: texts.used, cell: ({ usedAt }) => <Moment at={usedAt} /> },
        ]}
      />
    </Section>
  )
}

function Summary({ user }: { user: UserPage }) {
  const texts = useTexts(TEXTS)
  return (
    <Section
      title={texts.summary}
      aside={
        <>
          {texts.asOf} <Moment at={user.now} />
        </>
      }
    >
      <Facts
        facts={[
          { name: texts.id, value: <CopyId id={user.id} label={texts.id} /> },
          {
            name: texts.partner,
            value: (
              <ObjectLink kind="partner" id={user.partner}>
                {`${user.partnerName} (${user.partner})`}
              </ObjectLink>
            ),
          },
          { name: texts.key, value: <CopyId id={user.partnerKey} label={texts.key} /> },
          { name: texts.confirmed, value: user.confirmed ? texts.yes : texts.no },
          // A partner's staff learn nothing of the member: other partners know the same person.
          ...(user.memberId
            ? [{ name: texts.member, value: <ObjectLink kind="member" id={user.memberId} /> }]
            : []),
          { name: texts.registered, value: <Moment at={user.registeredAt} /> },
          { name: texts.registeredBy, value: user.registeredBy },
          { name: texts.detailsAt, value: <Moment at={user.detailsAt} /> },
        ]}
      />
    </Section>
  )
}
