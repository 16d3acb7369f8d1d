import { useMutation, useQuery } from '@tanstack/react-query'
import { Button } from '../../kit/button.tsx'
import { Card, Columns } from '../../kit/card.tsx'
import { BASE_PATH } from '../../kit/environment.ts'
import { Checkbox, Segments } from '../../kit/field.tsx'
import { date, seoulDay } from '../../kit/format.ts'
import { type Language, useLanguage, useTexts } from '../../kit/language.tsx'
import { Heading } from '../../kit/layout.tsx'
import { Loading } from '../../kit/load-states.tsx'
import { HAS_PASSKEYS } from '../../kit/offers-passkeys.ts'
import { Rows } from '../../kit/rows.tsx'
import { useLeaveWebView } from '../root-layout.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { LoadError, RefusalMessage } from '../shared/api/refusal-message.tsx'
import { IN_WEB_VIEW } from '../shared/environment.ts'
import { MemberLayout } from '../shared/member-layout.tsx'
import { LinkList } from '../shared/partner-links.tsx'
import { queryClient } from '../shared/session/session.ts'
import { SignedIn } from '../shared/session/signed-in.tsx'
import { CloseAccount } from './close-account.tsx'
import { OwnDataCard } from './own-data.tsx'
import { PasskeysCard } from './passkeys.tsx'
import { PasswordCard } from './password.tsx'
import { PhoneChange } from './phone.tsx'
import { SessionsCard } from './sessions.tsx'
import { TEXTS } from './texts.ts'

// A web view has no account to manage: only the language, its partner's link and the way out.
export default function SettingsPage() {
  const texts = useTexts(TEXTS)
  return (
    <MemberLayout title={texts.title} tabs wide>
      <Heading>{texts.title}</Heading>
      <SignedIn>
        {() => (
          <Columns>
            {!IN_WEB_VIEW && <ProfileCard />}
            <LanguageCard />
            <LinksCard />
            {!IN_WEB_VIEW && <SessionsCard />}
            {HAS_PASSKEYS && <PasskeysCard />}
            {!IN_WEB_VIEW && <PasswordCard />}
            {!IN_WEB_VIEW && <OwnDataCard />}
            <Leave />
            {!IN_WEB_VIEW && <CloseAccount />}
          </Columns>
        )}
      </SignedIn>
    </MemberLayout>
  )
}

// Also loaded by the cards for the password and for closing the account: one answer serves all of them.
const PROFILE = { queryKey: ['profile'], queryFn: () => callApi('GET /profile') } as const

function ProfileCard() {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const profile = useQuery(PROFILE)
  const agree = useMutation({
    mutationFn: (marketing: boolean) => callApi('POST /profile', { body: { marketing } }),
    onSuccess: (answer) => queryClient.setQueryData(PROFILE.queryKey, answer),
  })
  if (profile.isPending) return <Loading lines={5} />
  if (profile.isError)
    return <LoadError refusal={refusalOf(profile.error)} onRetry={() => profile.refetch()} />
  const { loginId, name, birthday, mdn, joinedAt, marketing } = profile.data
  return (
    <Card>
      <h2 className="text-[1.0625rem] font-semibold">{texts.profile}</h2>
      <Rows
        rows={[
          { name: texts.id, value: loginId ?? texts.noId },
          { name: texts.name, value: name },
          { name: texts.birthday, value: birthday },
          { name: texts.mdn, value: mdn },
          { name: texts.joined, value: date(seoulDay(joinedAt), language) },
        ]}
      />
      <PhoneChange mdn={mdn} />
      <Checkbox
        label={texts.marketing}
        // Shows the choice at once, while the service saves it.
        checked={agree.isPending ? agree.variables : marketing}
        onChange={(event) => agree.mutate(event.target.checked)}
      />
      <RefusalMessage refusal={agree.isError ? refusalOf(agree.error) : undefined} />
    </Card>
  )
}

// Each language is written in itself, for a reader who knows only that one.
function LanguageCard() {
  const texts = useTexts(TEXTS)
  const { language, setLanguage } = useLanguage()
  return (
    <Card>
      <Segments<Language>
        legend={texts.language}
        value={language}
        options={[
          { value: 'ko', label: <span lang="ko">한국어</span> },
          { value: 'en', label: <span lang="en">English</span> },
        ]}
        onChange={setLanguage}
      />
    </Card>
  )
}

function LinksCard() {
  const texts = useTexts(TEXTS)
  return (
    <Card className="flex flex-col gap-3">
      <div>
        <h2 className="text-[1.0625rem] font-semibold">{texts.links}</h2>
        <p className="text-sm text-sub">{texts.linksSub}</p>
      </div>
      <LinkList />
    </Card>
  )
}

function Leave() {
  const texts = useTexts(TEXTS)
  const leave = useLeaveWebView()
  const logout = useMutation({
    mutationFn: () => callApi('POST /logout'),
    // A new document, so that nothing of what was shown is left in this one. In a partner's frame that would lose the
    // frame's own permission to be shown: there the page is emptied instead.
    onSuccess: () => (IN_WEB_VIEW ? leave() : window.location.replace(`${BASE_PATH}/login`)),
  })
  return (
    <>
      <RefusalMessage refusal={logout.isError ? refusalOf(logout.error) : undefined} />
      <Button look="quiet" busy={logout.isPending} onClick={() => logout.mutate()}>
        {texts.logout}
      </Button>
    </>
  )
}
