import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { MemberPage } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { grams, points } from '../../kit/format.ts'
import { useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { ActSheet } from '../shared/act-sheet.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { DataTable } from '../shared/data-table.tsx'
import { ObjectTimeline } from '../shared/object/object-timeline.tsx'
import { PersonReveal } from '../shared/object/person-reveal.tsx'
import { useWords } from '../shared/object/value-words.ts'
import { Page, Section } from '../shared/page.tsx'
import { PageError } from '../shared/page-error.tsx'
import { RawJson } from '../shared/raw-json.tsx'
import { useMay } from '../shared/session.ts'
import { Badge, CopyId, Facts, Moment, Nothing, Won } from '../shared/values.tsx'
import { Access } from './access.tsx'
import { Acts } from './acts.tsx'
import { AdjustSheet } from './adjust-sheet.tsx'
import { MemberData } from './member-data.tsx'
import { Money } from './money.tsx'
import { TEXTS } from './texts.ts'

export default function MemberPageView() {
  const { memberId } = useParams({ from: '/members/$memberId' })
  const { data, error, refetch } = useQuery({
    queryKey: ['member', memberId],
    queryFn: () => callApi('GET /members/:memberId', { params: { memberId } }),
  })
  if (error) return <PageError error={error} onRetry={refetch} />
  if (!data) return <Loading lines={6} />
  return <Member member={data} onChange={refetch} />
}

function Member({ member, onChange }: { member: MemberPage; onChange(): void }) {
  const texts = useTexts(TEXTS)
  const words = useWords()
  const may = useMay()
  const [sheet, setSheet] = useState<'freeze' | 'adjust'>()
  const sheetProps = { onClose: () => setSheet(undefined), onDone: onChange }
  const params = { memberId: member.memberId }
  const isFrozen = member.status === 'frozen'
  return (
    <Page
      title={texts.title}
      sub={
        <>
          <Badge look={isFrozen ? 'bad' : member.status === 'open' ? 'good' : 'plain'}>
            {words(member.status)}
          </Badge>{' '}
          {[member.person.name, member.loginId].filter(Boolean).join(' · ')}
        </>
      }
      actions={
        <>
          {may('adjustments.request') && (
            <Button size="small" look="quiet" onClick={() => setSheet('adjust')}>
              {texts.adjust}
            </Button>
          )}
          {may('members.freeze') && (
            <Button size="small" look={isFrozen ? 'quiet' : 'sell'} onClick={() => setSheet('freeze')}>
              {isFrozen ? texts.thaw : texts.freeze}
            </Button>
          )}
        </>
      }
    >
      <Summary member={member} />
      <PersonReveal
        masked={member.person}
        reveal={(reason) => callApi('POST /members/:memberId/reveal', { params, body: { reason } })}
        // Looking is an event of the timeline, so the page is loaded again.
        onDone={onChange}
      />
      <Holdings member={member} />
      <Money member={member} />
      <Acts member={member} />
      <Access member={member} onChange={onChange} />
      <MemberData member={member} onChange={onChange} />
      <ObjectTimeline
        timeline={member.timeline}
        load={(below) => callApi('GET /members/:memberId/timeline', { params, query: { below } })}
      />
      <RawJson value={member} />
      <AdjustSheet member={member} open={sheet === 'adjust'} {...sheetProps} />
      <ActSheet
        open={sheet === 'freeze'}
        {...sheetProps}
        title={isFrozen ? texts.thaw : texts.freeze}
        act={isFrozen ? texts.thaw : texts.freeze}
        look={isFrozen ? 'main' : 'sell'}
        explain={isFrozen ? texts.thawWill : texts.freezeWill}
        run={async (reason) => {
          // Both acts share a sheet. The page loads again after each, so the state decides which one is next.
          const call = isFrozen ? 'POST /members/:memberId/thaw' : 'POST /members/:memberId/freeze'
          await callApi(call, { params, body: { reason } })
          return null
        }}
      />
    </Page>
  )
}

function Summary({ member }: { member: MemberPage }) {
  const texts = useTexts(TEXTS)
  const { accountId, loginId } = member
  return (
    <Section title={texts.summary}>
      <Facts
        facts={[
          { name: texts.memberId, value: <CopyId id={member.memberId} label={texts.memberId} /> },
          {
            name: texts.accountId,
            value: accountId ? <CopyId id={accountId} label={texts.accountId} /> : <Nothing />,
          },
          {
            name: texts.loginId,
            value: loginId ? <CopyId id={loginId} label={texts.loginId} /> : <Nothing />,
          },
          { name: texts.joined, value: <Moment at={member.joinedAt} /> },
          { name: texts.closed, value: <Moment at={member.closedAt} /> },
          { name: texts.password, value: <Moment at={member.passwordChangedAt} /> },
          { name: texts.stopped, value: member.withdrawalsStopped ? texts.yes : texts.no },
        ]}
      />
    </Section>
  )
}

function Holdings({ member }: { member: MemberPage }) {
  const texts = useTexts(TEXTS)
  return (
    <Section
      title={texts.balances}
      aside={
        <>
          {texts.asOf} <Moment at={member.now} />
        </>
      }
    >
      <DataTable
        caption={texts.balances}
        rows={member.holdings}
        // Null: what the member holds directly, and not through a partner's link.
        keyOf={({ through }) => through ?? ''}
        empty={texts.none}
        columns={[
          { key: 'by', title: texts.heldBy, cell: ({ through }) => through ?? texts.own },
          { key: 'points', title: texts.points, figure: true, cell: (held) => points(held.points) },
          {
            key: 'deposit',
            title: texts.deposit,
            figure: true,
            cell: ({ deposit }) => <Won amount={deposit} />,
          },
          { key: 'gold', title: texts.gold, figure: true, cell: ({ goldGrams }) => grams(goldGrams) },
          { key: 'silver', title: texts.silver, figure: true, cell: ({ silverGrams }) => grams(silverGrams) },
        ]}
      />
    </Section>
  )
}
