import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { createContext, useContext, useEffect, useRef, useState } from 'react'
import { buttonClass } from '../kit/button.tsx'
import { useFocusFirstInvalid } from '../kit/focus-first-invalid.ts'
import { useTexts } from '../kit/language.tsx'
import { Heading } from '../kit/layout.tsx'
import { OfflineNavigation } from './offline-navigation.tsx'
import { PAGES_PATH } from './shared/environment.ts'
import { StepUpProvider } from './shared/identity/step-up.tsx'
import { MemberLayout } from './shared/member-layout.tsx'
import { forgetEverything, useSession } from './shared/session/session.ts'
import { LinkRefused, WebViewEnded } from './shared/session/web-view-ended.tsx'

const TEXTS = {
  ko: { title: '찾을 수 없는 페이지예요', body: '주소를 확인하거나 처음으로 가 주세요.', home: '처음으로' },
  en: {
    title: 'There is no such page',
    body: 'Check the address, or start from the beginning.',
    home: 'Start',
  },
}

const Leave = createContext<() => void>(() => {})
// Signs out of a web view: everything shown is dropped, and Back does not bring it back.
export const useLeaveWebView = () => useContext(Leave)

// Around every page: focus, the identity sheet and links without a network are the same everywhere.
export function RootLayout() {
  const [left, setLeft] = useState(false)
  useFocusOnArrival()
  useFocusFirstInvalid()
  function leave() {
    forgetEverything()
    // After a reload the service sees ?left, and says that the person has signed out.
    window.history.replaceState(null, '', `${PAGES_PATH}?left`)
    setLeft(true)
  }
  const refused = useSession().data?.linkRefused ?? false
  if (left || refused) {
    return <MemberLayout title="Ingot">{refused ? <LinkRefused /> : <WebViewEnded left />}</MemberLayout>
  }
  return (
    <Leave value={leave}>
      <StepUpProvider>
        <Outlet />
        <OfflineNavigation />
      </StepUpProvider>
    </Leave>
  )
}

// Focus moves to the new page, so that a screen reader announces it as it would a new document.
function useFocusOnArrival(): void {
  const { pathname, searchStr } = useLocation()
  const place = pathname + searchStr
  const last = useRef(place)
  useEffect(() => {
    if (last.current === place) return
    last.current = place
    // Only if the last page took the focus with it. A page that focuses something itself keeps it.
    if (document.activeElement === document.body || document.activeElement === null) {
      document.querySelector('main')?.focus({ preventScroll: true })
    }
  }, [place])
}

export function NotFound() {
  const texts = useTexts(TEXTS)
  return (
    <MemberLayout
      title={texts.title}
      actions={
        <Link to="/" className={buttonClass()}>
          {texts.home}
        </Link>
      }
    >
      <Heading sub={texts.body}>{texts.title}</Heading>
    </MemberLayout>
  )
}
