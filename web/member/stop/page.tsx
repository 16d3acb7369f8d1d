import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Stop } from '../../../contract/member.gen.ts'
import { ask, refusalOf } from '../../kit/api.ts'
import { bankName } from '../../kit/banks.ts'
import { Button, buttonClass } from '../../kit/button.tsx'
import { moment, won } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Card, Loading, Note, Problem, type Row, Rows, Trouble } from '../../kit/parts.tsx'
import { Bottom, Heading, Screen } from '../../kit/screen.tsx'
import { forgetEverything } from '../../kit/session.tsx'
import { TEXTS } from './texts.ts'

// Opened from a notice, by somebody who may be unable to log in. The code is in the fragment, which is sent to nobody;
// opening the page only looks.
export default function StopPage() {
  const texts = useTexts(TEXTS)
  const [code] = useState(() => window.location.hash.slice(1))
  const found = useQuery({
    queryKey: ['stop', code],
    queryFn: () => ask('POST /stop/check', { body: { code } }),
    enabled: code !== '',
    retry: false,
  })
  const stop = useMutation({
    mutationFn: () => ask('POST /stop', { body: { code } }),
    // Whoever was signed in here no longer is.
    onSuccess: () => forgetEverything(),
  })
  const refusal = found.isError ? refusalOf(found.error) : undefined
  const isUnknown = code === '' || refusal?.code === 'not_found' || refusal?.code === 'invalid_request'
  const shown = stop.data ?? found.data
  return (
    <Screen title={texts.title}>
      {isUnknown ? (
        <Heading sub={texts.unknownSub}>{texts.unknown}</Heading>
      ) : shown ? (
        <Found
          found={shown}
          busy={stop.isPending}
          refusal={stop.isError ? refusalOf(stop.error) : undefined}
          onStop={() => stop.mutate()}
        />
      ) : refusal ? (
        <Trouble refusal={refusal} onRetry={() => found.refetch()} />
      ) : (
        <Loading lines={4} />
      )}
    </Screen>
  )
}

interface FoundProps {
  found: Stop
  busy: boolean
  refusal: ReturnType<typeof refusalOf> | undefined
  onStop(): void
}

function Found({ found, busy, refusal, onStop }: FoundProps) {
  const texts = useTexts(TEXTS)
  const { state, stopAsked } = found
  const asks = state === 'open' || (state === 'on_its_way' && !stopAsked)
  const said = sayingOf(found, texts)
  return (
    <>
      <Heading sub={said.sub}>{said.title}</Heading>
      <Facts found={found} />
      {state === 'open' && <Effects />}
      {state === 'open' && <p className="px-1 text-sm text-sub">{texts.mine}</p>}
      <Problem refusal={refusal} />
      <Bottom>
        {asks && (
          <Button busy={busy} onClick={onStop}>
            {state === 'open' ? texts.stop : texts.lateStop}
          </Button>
        )}
        {!asks && state !== 'ended' && (
          <Link to="/recover" className={buttonClass()}>
            {texts.recover}
          </Link>
        )}
      </Bottom>
    </>
  )
}

function sayingOf({ state, stopAsked }: Stop, texts: (typeof TEXTS)['ko']): { title: string; sub: string } {
  if (state === 'on_its_way' && stopAsked) return { title: texts.told, sub: texts.toldSub }
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
