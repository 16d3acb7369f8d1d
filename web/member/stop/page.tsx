import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Stop } from '../../../contract/member.gen.ts'
import { Button, buttonClass } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { moment } from '../../kit/format.ts'
import { useLanguage, useTexts, useWon } from '../../kit/language.tsx'
import { Heading, PageActions } from '../../kit/layout.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { Note } from '../../kit/note.tsx'
import { type Row, Rows } from '../../kit/rows.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { LoadError, RefusalMessage } from '../shared/api/refusal-message.tsx'
import { bankName } from '../shared/banks.ts'
import { MemberLayout } from '../shared/member-layout.tsx'
import { forgetEverything } from '../shared/session/session.ts'
import { TEXTS } from './texts.ts'

// Opened from a notice about a withdrawal, by a member who may be unable to log in. The code is in the fragment, which a
// browser never sends. Opening the page only looks: stopping takes a press.
export default function StopPage() {
  const texts = useTexts(TEXTS)
  const [code] = useState(() => window.location.hash.slice(1))
  const found = useQuery({
    queryKey: ['stop', code],
    // POST although it only looks: so the code is in no address and no log.
    queryFn: () => callApi('POST /stop/check', { body: { code } }),
    enabled: code !== '',
    // A wrong code stays wrong.
    retry: false,
  })
  const stop = useMutation({
    mutationFn: () => callApi('POST /stop', { body: { code } }),
    // Stopping ends every session of the account, also the one in this browser.
    onSuccess: () => forgetEverything(),
  })
  const refusal = found.isError ? refusalOf(found.error) : undefined
  // A link that was cut off is refused by the schema.
  const isUnknown = code === '' || refusal?.code === 'not_found' || refusal?.code === 'invalid_request'
  // After a stop the answer has the new state: the page shows it without asking again.
  const shown = stop.data ?? found.data
  return (
    <MemberLayout title={texts.title}>
      {isUnknown ? (
        <Heading sub={texts.unknownSub}>{texts.unknown}</Heading>
      ) : shown ? (
        <StopDetails
          found={shown}
          busy={stop.isPending}
          refusal={stop.isError ? refusalOf(stop.error) : undefined}
          onStop={() => stop.mutate()}
        />
      ) : refusal ? (
        <LoadError refusal={refusal} onRetry={() => found.refetch()} />
      ) : (
        <Loading lines={4} />
      )}
    </MemberLayout>
  )
}

interface StopDetailsProps {
  found: Stop
  busy: boolean
  refusal: ReturnType<typeof refusalOf> | undefined
  onStop(): void
}

function StopDetails({ found, busy, refusal, onStop }: StopDetailsProps) {
  const texts = useTexts(TEXTS)
  const { state, canStop, others } = found
  // For one that is on its way the heading says what happens.
  const effects = canStop && state !== 'on_its_way'
  const button = state === 'open' ? texts.stop : state === 'on_its_way' ? texts.lateStop : texts.lock(others)
  const said = headingOf(found, texts)
  return (
    <>
      <Heading sub={said.sub}>{said.title}</Heading>
      <Facts found={found} />
      {effects && <Effects />}
      {effects && <p className="px-1 text-sm text-sub">{texts.mine}</p>}
      <RefusalMessage refusal={refusal} />
      <PageActions>
        {canStop && (
          <Button busy={busy} onClick={onStop}>
            {button}
          </Button>
        )}
        {!canStop && state !== 'ended' && (
          <Link to="/recover" className={buttonClass()}>
            {texts.recover}
          </Link>
        )}
      </PageActions>
    </>
  )
}

// The order matters: what a stop could not reach is told before anything else.
function headingOf(found: Stop, texts: (typeof TEXTS)['ko']): { title: string; sub: string } {
  const { state, stopAsked, canStop, others } = found
  // What a stop leaves open was on its way already, this one or another.
  if (stopAsked && (state === 'on_its_way' || others > 0)) return { title: texts.told, sub: texts.toldSub }
  if (state === 'paid' && stopAsked) return { title: texts.locked, sub: texts.lockedSub }
  if (canStop && (state === 'paid' || state === 'ended')) {
    return { title: state === 'paid' ? texts.paid : texts.gone, sub: texts.lockSub(others) }
  }
  if (state === 'ended' && others > 0) return { title: texts.gone, sub: texts.othersSub }
  const sayings = {
    open: { title: texts.open, sub: texts.openSub },
    on_its_way: { title: texts.late, sub: texts.lateSub },
    stopped: { title: texts.stopped, sub: texts.stoppedSub },
    paid: { title: texts.paid, sub: texts.paidSub },
    ended: { title: texts.ended, sub: texts.endedSub },
  }
  return sayings[state]
}

function Facts({ found }: { found: Stop }) {
  const won = useWon()
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const { amount, bank, account, requestedAt, waitsUntil } = found.withdrawal
  const rows: Row[] = [
    { name: texts.amount, value: won(amount), strong: true },
    { name: texts.account, value: `${bankName(bank, language)} ${account}` },
    { name: texts.requestedAt, value: moment(requestedAt, language) },
    ...(waitsUntil ? [{ name: texts.waitsUntil, value: texts.from(moment(waitsUntil, language)) }] : []),
    ...(found.state === 'open' ? [] : [{ name: texts.contact, value: found.contact }]),
  ]
  return (
    <Card>
      <Rows rows={rows} />
    </Card>
  )
}

function Effects() {
  const texts = useTexts(TEXTS)
  return (
    <Note look="tint">
      <ul className="flex list-disc flex-col gap-1 ps-4">
        {texts.effects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
    </Note>
  )
}
