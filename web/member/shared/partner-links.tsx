import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Link } from '../../../contract/member.gen.ts'
import { Button } from '../../kit/button.tsx'
import { BASE_PATH } from '../../kit/environment.ts'
import { date, seoulDay } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { Sheet } from '../../kit/sheet.tsx'
import { callApi } from './api/call-api.ts'
import { refusalOf } from './api/refusal.ts'
import { LoadError, RefusalMessage } from './api/refusal-message.tsx'
import { IN_WEB_VIEW } from './environment.ts'
import { useStepUp } from './identity/step-up.tsx'
import { forgetRefusedLink, queryClient, SESSION } from './session/session.ts'

const TEXTS = {
  ko: {
    since: (day: string) => `${day}에 등록`,
    undecided: '아직 정하지 않았어요',
    confirmed: '연결했어요',
    refused: '연결하지 않았어요',
    sees: '이 제휴사가 내 전체 자산을 볼 수 있어요.',
    seesOwn: '이 제휴사를 통해 받은 것만 볼 수 있어요.',
    seesNothing: '이 제휴사는 아무것도 볼 수 없어요.',
    confirm: '연결하기',
    refuse: '연결하지 않기',
    none: '연결된 제휴사가 없어요.',
    refuseTitle: (partner: string) => `${partner}, 연결하지 않을까요?`,
    follows: (partner: string) => [
      `${partner}에서는 내 자산을 더는 볼 수 없고, 그 앱에서 Ingot 화면을 열 수 없어요.`,
      `${partner}에서 받은 것도 그대로 내 자산에 남아요.`,
      '마음이 바뀌면 여기 설정에서 다시 연결할 수 있어요.',
    ],
    followsInView: (partner: string, site: string) => [
      `${partner} 앱에서는 이 화면을 다시 열 수 없어요.`,
      `${partner}에서는 내 자산을 더는 볼 수 없어요.`,
      `자산은 Ingot에 그대로 있어요. ${site} 에서 휴대폰으로 본인 확인을 하면 볼 수 있어요.`,
      '마음이 바뀌면 그곳의 설정에서 다시 연결할 수 있어요.',
    ],
    keep: '그대로 두기',
  },
  en: {
    since: (day: string) => `Registered on ${day}`,
    undecided: 'Not decided yet',
    confirmed: 'Connected',
    refused: 'Not connected',
    sees: 'This partner can see everything you hold.',
    seesOwn: 'It sees only what came through it.',
    seesNothing: 'It sees nothing.',
    confirm: 'Connect',
    refuse: 'Do not connect',
    none: 'No partner is connected.',
    refuseTitle: (partner: string) => `${partner}: do not connect?`,
    follows: (partner: string) => [
      `${partner} no longer sees what you hold, and its app no longer opens Ingot.`,
      `What came through ${partner} stays yours.`,
      'Should you change your mind, connect again here in the settings.',
    ],
    followsInView: (partner: string, site: string) => [
      `The app of ${partner} does not open this page again.`,
      `${partner} no longer sees what you hold.`,
      `Your assets stay at Ingot. Verify your identity by phone at ${site} to see them.`,
      'Should you change your mind, connect again in the settings there.',
    ],
    keep: 'Leave it as it is',
  },
}

const LINKS = { queryKey: ['links'], queryFn: () => callApi('GET /links') } as const

export const useLinks = () => useQuery(LINKS)

// Partners that have told Ingot about this person. Only the person confirms or refuses a link.
export function LinkList() {
  const texts = useTexts(TEXTS)
  const links = useLinks()
  if (links.isPending) return <Loading />
  if (links.isError) return <LoadError refusal={refusalOf(links.error)} onRetry={() => links.refetch()} />
  if (links.data.links.length === 0) return <p className="text-sub">{texts.none}</p>
  return (
    <ul className="flex flex-col gap-5">
      {links.data.links.map((link) => (
        <LinkItem key={link.id} link={link} />
      ))}
    </ul>
  )
}

function LinkItem({ link }: { link: Link }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const withStepUp = useStepUp()
  // Confirming can be undone here, so only refusing asks first.
  const [isAsked, setAsked] = useState(false)
  const decide = useMutation({
    mutationFn: (decision: 'confirm' | 'refuse') =>
      withStepUp(() => callApi('POST /links/:linkId', { params: { linkId: link.id }, body: { decision } })),
    onSuccess: (answer, decision) => {
      // A web view ends with its link: nothing of it stays on the page.
      if (IN_WEB_VIEW && decision === 'refuse') return forgetRefusedLink()
      setAsked(false)
      queryClient.setQueryData(LINKS.queryKey, answer)
      // The session counts undecided links, and the assets page shows a note while there are any.
      void queryClient.invalidateQueries({ queryKey: SESSION.queryKey })
      // A confirmed link can bring along what the partner's user held.
      void queryClient.invalidateQueries({ queryKey: ['assets'] })
    },
  })
  // In the sheet while it is open, because the sheet covers the list.
  const problem = <RefusalMessage refusal={decide.isError ? refusalOf(decide.error) : undefined} />
  return (
    <li className="flex flex-col gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-semibold">{link.partner}</span>
        <span className="text-sm text-sub">{texts[link.state]}</span>
      </div>
      <p className="text-sm text-sub">
        {texts.since(date(seoulDay(link.registeredAt), language))} ·{' '}
        {link.state === 'refused' ? texts.seesNothing : link.seesAll ? texts.sees : texts.seesOwn}
      </p>
      <div className="flex flex-wrap gap-2">
        {link.state !== 'refused' && (
          <Button
            look="plain"
            className="flex-1 basis-[8rem]"
            busy={decide.isPending}
            onClick={() => setAsked(true)}
          >
            {texts.refuse}
          </Button>
        )}
        {link.state !== 'confirmed' && (
          <Button
            className="flex-1 basis-[8rem]"
            busy={decide.isPending}
            onClick={() => decide.mutate('confirm')}
          >
            {texts.confirm}
          </Button>
        )}
      </div>
      {!isAsked && problem}
      {isAsked && (
        <RefuseSheet
          partner={link.partner}
          busy={decide.isPending}
          problem={problem}
          onRefuse={() => decide.mutate('refuse')}
          onClose={() => setAsked(false)}
        />
      )}
    </li>
  )
}

interface RefuseProps {
  partner: string
  busy: boolean
  problem: ReactNode
  onRefuse(): void
  onClose(): void
}

// Refusing closes the partner's app to the member, so its consequences come first.
function RefuseSheet({ partner, busy, problem, onRefuse, onClose }: RefuseProps) {
  const texts = useTexts(TEXTS)
  const site = `${window.location.origin}${BASE_PATH}`
  return (
    <Sheet
      open
      onClose={onClose}
      title={texts.refuseTitle(partner)}
      actions={
        <>
          <Button look="buy" busy={busy} onClick={onRefuse}>
            {texts.refuse}
          </Button>
          <Button look="quiet" onClick={onClose}>
            {texts.keep}
          </Button>
        </>
      }
    >
      <ul className="mb-3 flex list-disc flex-col gap-2 ps-5 wrap-anywhere text-body">
        {(IN_WEB_VIEW ? texts.followsInView(partner, site) : texts.follows(partner)).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {problem}
    </Sheet>
  )
}
