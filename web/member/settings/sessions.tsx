import { useMutation, useQuery } from '@tanstack/react-query'
import type { DeviceSession } from '../../../contract/member.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { moment } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { LoadError, RefusalMessage } from '../shared/api/refusal-message.tsx'
import { queryClient } from '../shared/session/session.ts'
import { TEXTS } from './texts.ts'

const SESSIONS = { queryKey: ['sessions'], queryFn: () => callApi('GET /sessions') } as const
const refresh = () => void queryClient.invalidateQueries({ queryKey: SESSIONS.queryKey })

// Every signed-in device, so that a member can end the session of a lost one.
export function SessionsCard() {
  const texts = useTexts(TEXTS)
  const list = useQuery(SESSIONS)
  const endOthers = useMutation({
    mutationFn: () => callApi('POST /sessions/end-others'),
    onSettled: refresh,
  })
  if (list.isPending) return <Loading />
  if (list.isError) return <LoadError refusal={refusalOf(list.error)} onRetry={() => list.refetch()} />
  const { sessions } = list.data
  return (
    <Card className="flex flex-col gap-2">
      <h2 className="text-[1.0625rem] font-semibold">{texts.sessions}</h2>
      <ul className="divide-y divide-line">
        {sessions.map((session) => (
          <Item key={session.id} session={session} />
        ))}
      </ul>
      <RefusalMessage refusal={endOthers.isError ? refusalOf(endOthers.error) : undefined} />
      {sessions.some((session) => !session.current) && (
        <Button look="quiet" busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
          {texts.endOthers}
        </Button>
      )}
    </Card>
  )
}

function Item({ session }: { session: DeviceSession }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const { id, current, partner, seenAt } = session
  // The browser's own words for the device, if the service could read them.
  const device = session.device || texts.someDevice
  const end = useMutation({
    mutationFn: () => callApi('DELETE /sessions/:sessionId', { params: { sessionId: id } }),
    // Refreshed after a refusal too: the session may have ended by itself.
    onSettled: refresh,
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 py-3">
      <span className="flex min-w-0 flex-col">
        <span className="font-medium">
          {device} {current && <span className="text-sm text-link">({texts.thisDevice})</span>}
        </span>
        {partner && <span className="text-sm text-sub">{texts.openedFrom(partner)}</span>}
        <span className="text-sm text-sub">{texts.seen(moment(seenAt, language))}</span>
        <RefusalMessage refusal={end.isError ? refusalOf(end.error) : undefined} />
      </span>
      {/* This session ends by logging out. */}
      {!current && (
        <button
          type="button"
          aria-label={`${device}: ${texts.end}`}
          onClick={() => end.isPending || end.mutate()}
          className="ms-auto min-h-12 rounded-xl px-3 text-[0.9375rem] font-medium text-up hover:bg-bad"
        >
          {end.isPending ? texts.wait : texts.end}
        </button>
      )}
    </li>
  )
}
