import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { createContext, useContext, useEffect, useRef, useState } from 'react'
import { buttonClass } from '../kit/button.tsx'
import { Ended, LinkRefused } from '../kit/ended.tsx'
import { useFocusOnWrong } from '../kit/focus-wrong.ts'
import { useTexts } from '../kit/language.tsx'
import { PAGES_PATH } from '../kit/place.ts'
import { Heading, Screen } from '../kit/screen.tsx'
import { forgetEverything, useSession } from '../kit/session.tsx'
import { StepUpProvider } from '../kit/step-up.tsx'
import { StayOffline } from './stay.tsx'

const TEXTS = {
  ko: { title: '찾을 수 없는 페이지예요', body: '주소를 확인하거나 처음으로 가 주세요.', home: '처음으로' },
  en: {
    title: 'There is no such page',
    body: 'Check the address, or start from the beginning.',
    home: 'Start',
  },
}

const Leave = createContext<() => void>(() => {})
// Of a web view, after signing out: whatever was open is gone for good.
export const useLeave = () => useContext(Leave)

export function Frame() {
  const [left, setLeft] = useState(false)
  useFocusOnArrival()
  useFocusOnWrong()
  function leave() {
    forgetEverything()
    window.history.replaceState(null, '', `${PAGES_PATH}?left`)
    setLeft(true)
  }
  const refused = useSession().data?.linkRefused ?? false
  if (left || refused) {
    return <Screen title="Ingot">{refused ? <LinkRefused /> : <Ended left />}</Screen>
  }
  return (
    <Leave value={leave}>
      <StepUpProvider>
        <Outlet />
        <StayOffline />
      </StepUpProvider>
    </Leave>
  )
}

// A reader of the screen is told of the new page, as the browser would for a new document.
function useFocusOnArrival(): void {
  const { pathname, searchStr } = useLocation()
  const place = pathname + searchStr
  const last = useRef(place)
  useEffect(() => {
    if (last.current === place) return
    last.current = place
    if (document.activeElement === document.body || document.activeElement === null) {
      document.querySelector('main')?.focus({ preventScroll: true })
    }
  }, [place])
}

export function Lost() {
  const texts = useTexts(TEXTS)
  return (
    <Screen
      title={texts.title}
      actions={
        <Link to="/" className={buttonClass()}>
          {texts.home}
        </Link>
      }
    >
      <Heading sub={texts.body}>{texts.title}</Heading>
    </Screen>
  )
}
