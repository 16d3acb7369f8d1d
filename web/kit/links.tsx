import { useMutation, useQuery } from '@tanstack/react-query'
import type { Links } from '../../contract/member.gen.ts'
import { ask, refusalOf } from './api.ts'
import { Button } from './button.tsx'
import { date, seoulDay } from './format.ts'
import { useLanguage, useTexts } from './language.tsx'
import { Loading, Problem, Trouble } from './parts.tsx'
import { queries, SESSION } from './session.tsx'
import { useAct } from './step-up.tsx'

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
  },
}

const LINKS = { queryKey: ['links'], queryFn: () => ask('GET /links') } as const

export const useLinks = () => useQuery(LINKS)

// Partners that have told us of this person: each is confirmed or refused, by the person alone.
export function LinkList() {
  const texts = useTexts(TEXTS)
  const links = useLinks()
  if (links.isPending) return <Loading />
  if (links.isError) return <Trouble refusal={refusalOf(links.error)} onRetry={() => links.refetch()} />
  if (links.data.links.length === 0) return <p className="text-sub">{texts.none}</p>
  return (
    <ul className="flex flex-col gap-5">
      {links.data.links.map((link) => (
        <LinkItem key={link.id} link={link} />
      ))}
    </ul>
  )
}

function LinkItem({ link }: { link: Links['links'][number] }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const act = useAct()
  const decide = useMutation({
    mutationFn: (decision: 'confirm' | 'refuse') =>
      act(() => ask('POST /links/:linkId', { params: { linkId: link.id }, body: { decision } })),
    onSuccess: (answer) => {
      queries.setQueryData(LINKS.queryKey, answer)
      void queries.invalidateQueries({ queryKey: SESSION.queryKey })
      void queries.invalidateQueries({ queryKey: ['assets'] })
    },
  })
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
            onClick={() => decide.mutate('refuse')}
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
      <Problem refusal={decide.isError ? refusalOf(decide.error) : undefined} />
    </li>
  )
}
