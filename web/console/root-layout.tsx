import { Dialog } from '@base-ui/react/dialog'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useFocusFirstInvalid } from '../kit/focus-first-invalid.ts'
import { CloseIcon, ListIcon } from '../kit/icons.tsx'
import { useLanguage, useTexts } from '../kit/language.tsx'
import { Loading } from '../kit/load-states.tsx'
import { LoadError } from './shared/api/refusal-message.tsx'
import { lazyPart } from './shared/lazy.tsx'
import { NAVIGATION } from './shared/navigation.ts'
import { Page } from './shared/page.tsx'
import { ProofDialog } from './shared/proof.tsx'
import { SearchBox } from './shared/search/search-box.tsx'
import { useMay, useSession } from './shared/session.ts'
import { SignedIn } from './shared/signed-in.tsx'

const TEXTS = {
  ko: {
    menu: '메뉴',
    close: '닫기',
    skip: '본문으로 가기',
    other: 'English',
    mode: '운영 모드',
    sandbox: '샌드박스입니다. 실제 돈이나 금, 은이 아닙니다.',
    singlePerson: '1인 운영 모드입니다. 요청한 사람이 직접 승인할 수 있습니다.',
    missing: '찾을 수 없는 화면입니다',
    missingHint: '주소를 확인하거나 메뉴에서 골라 주세요.',
  },
  en: {
    menu: 'Menu',
    close: 'Close',
    skip: 'Skip to content',
    other: '한국어',
    mode: 'Mode',
    sandbox: 'Sandbox: no real money, gold or silver.',
    singlePerson: 'One-person mode: whoever asks may also approve.',
    missing: 'There is no such page',
    missingHint: 'Check the address, or choose from the menu.',
  },
}

// Loaded on demand: a person with a session never needs the sign-in page.
const SignInPage = lazyPart(() => import('./sign-in/page.tsx'))

// Around every page: the menu at the side of a larger screen, behind a button on a small one.
export function RootLayout() {
  const texts = useTexts(TEXTS)
  const session = useSession()
  const isWelcome = useLocation().pathname === '/welcome'
  useFocusOnArrival()
  // One listener serves the forms of all pages.
  useFocusFirstInvalid()
  // Until the session is known, neither a page nor the sign-in form may flash up.
  if (session.isPending) return <Frame>{<Loading />}</Frame>
  if (session.error) {
    return <Frame>{<LoadError error={session.error} onRetry={() => session.refetch()} />}</Frame>
  }
  // A one-time link is for the person who opens it, whoever is signed in here.
  if (isWelcome) return <Frame>{<Outlet />}</Frame>
  if (!session.data.signedIn) return <Frame>{<SignInPage />}</Frame>
  return (
    <ProofDialog>
      <div className="flex min-h-dvh flex-col">
        {/* The first tab stop, so that keyboard users can pass the header and the menu. */}
        <a
          href="#main"
          className="sr-only focus:not-sr-only focus:fixed focus:start-2 focus:top-2 focus:z-50 focus:rounded-xl focus:bg-surface focus:p-3"
        >
          {texts.skip}
        </a>
        <Declared sandbox={session.data.sandbox} singlePerson={session.data.singlePerson} />
        <TopBar />
        <div className="mx-auto flex w-full max-w-[96rem] flex-1">
          <aside className="no-print sticky top-14 hidden h-[calc(100dvh-3.5rem)] w-52 shrink-0 overflow-y-auto px-3 py-4 lg:block">
            <Menu />
          </aside>
          {/* Focusable by script only: the skip link and every new page move the focus here. */}
          <main id="main" tabIndex={-1} className="safe-x min-w-0 flex-1 pt-4 pb-12 lg:ps-4">
            <Outlet />
          </main>
        </div>
      </div>
    </ProofDialog>
  )
}

// For pages without a session. Menu, search and proof depend on permissions, so they are missing here.
function Frame({ children }: { children: React.ReactNode }) {
  return (
    <div className="safe-x mx-auto w-full max-w-[30rem] pt-4 pb-12">
      <header className="flex items-center justify-between pb-6">
        <span className="brand text-ink">Ingot</span>
        <LanguageSwitch />
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

// Modes that change what an act means stand on every page.
function Declared({ sandbox, singlePerson }: { sandbox: boolean; singlePerson: boolean }) {
  const texts = useTexts(TEXTS)
  if (!sandbox && !singlePerson) return null
  return (
    <aside aria-label={texts.mode} className="no-print bg-warn px-4 py-1.5 text-center text-sm text-warn-ink">
      {sandbox && <span>{texts.sandbox}</span>} {singlePerson && <span>{texts.singlePerson}</span>}
    </aside>
  )
}

// The header stays in view while a page scrolls, so the search is always in reach.
function TopBar() {
  return (
    <header className="no-print sticky top-0 z-20 border-b border-line bg-surface">
      <div className="safe-x mx-auto flex min-h-14 max-w-[96rem] flex-wrap items-center gap-x-3 gap-y-1">
        <MenuButton />
        <Link to="/" className="brand text-ink no-underline">
          Ingot
        </Link>
        {/* With large text on a narrow screen it goes on in a second line. */}
        <div className="flex min-w-0 flex-1 basis-44 items-center justify-between gap-2">
          <SearchBox />
          <div className="flex shrink-0 items-center gap-1">
            <SignedIn />
            <LanguageSwitch />
          </div>
        </div>
      </div>
    </header>
  )
}

function LanguageSwitch() {
  const { language, setLanguage } = useLanguage()
  const other = language === 'ko' ? 'en' : 'ko'
  return (
    <button
      type="button"
      // A screen reader speaks this word with the voice of its own language.
      lang={other}
      onClick={() => setLanguage(other)}
      className="min-h-10 rounded-xl px-2 text-[0.9375rem] whitespace-nowrap text-sub hover:bg-quiet hover:text-ink"
    >
      {/* In the language it leads to: whoever needs it may not read the current one. */}
      {TEXTS[language].other}
    </button>
  )
}

function MenuButton() {
  const texts = useTexts(TEXTS)
  const { pathname } = useLocation()
  const [open, setOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu
  useEffect(() => setOpen(false), [pathname])
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger
        aria-label={texts.menu}
        className="-ms-2 flex size-11 items-center justify-center rounded-xl text-body hover:bg-quiet lg:hidden"
      >
        <ListIcon />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="sheet-backdrop z-30" />
        <Dialog.Popup className="fixed inset-y-0 start-0 z-40 w-64 overflow-y-auto bg-surface p-4 outline-none">
          <div className="flex items-center justify-between">
            <Dialog.Title className="font-bold">{texts.menu}</Dialog.Title>
            <Dialog.Close
              aria-label={texts.close}
              className="flex size-11 items-center justify-center rounded-xl text-sub hover:bg-quiet"
            >
              <CloseIcon />
            </Dialog.Close>
          </div>
          <Menu />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Menu() {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const may = useMay()
  const { pathname } = useLocation()
  const menu = useRef<HTMLElement>(null)
  // On a low screen the menu scrolls, and the entry of this page may be out of its view.
  useEffect(() => {
    if (pathname) menu.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [pathname])
  // A role sees no heading above an empty group. Partners' staff, for example, have no books.
  const groups = NAVIGATION.map(({ name, entries }) => ({
    name: name[language],
    entries: entries.filter(({ permission }) => may(permission)),
  })).filter(({ entries }) => entries.length > 0)
  return (
    <nav ref={menu} aria-label={texts.menu} className="flex flex-col gap-5">
      {groups.map(({ name, entries }) => (
        <div key={name}>
          <p className="px-3 pb-1 text-[0.8125rem] font-medium text-sub">{name}</p>
          <ul>
            {entries.map((entry) => (
              <li key={entry.to}>
                <Link
                  to={entry.to}
                  // Every path begins with /, so the overview must match exactly. Filters in the address do not unmark a list.
                  activeOptions={{ exact: entry.to === '/', includeSearch: false }}
                  className="flex min-h-10 items-center rounded-xl px-3 text-[0.9375rem] text-body no-underline hover:bg-quiet aria-[current=page]:bg-quiet aria-[current=page]:font-semibold aria-[current=page]:text-ink"
                >
                  {entry.name[language]}
                  {entry.Count && <entry.Count />}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

// Focus moves to the new page, so that a screen reader announces it as it would a new document.
function useFocusOnArrival(): void {
  const { pathname } = useLocation()
  useEffect(() => {
    // Only if the old page took the focused element with it. Focus that a person placed stays.
    if (pathname && (document.activeElement === document.body || document.activeElement === null)) {
      document.querySelector('main')?.focus({ preventScroll: true })
    }
  }, [pathname])
}

export function NotFound() {
  const texts = useTexts(TEXTS)
  return (
    <Page title={texts.missing}>
      <p className="text-sub">{texts.missingHint}</p>
    </Page>
  )
}
