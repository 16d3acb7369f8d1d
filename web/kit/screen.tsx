import { Link, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { BackIcon, CardIcon, GearIcon, HomeIcon, ListIcon } from './icons.tsx'
import { Imprint } from './imprint.tsx'
import { useLanguage, useTexts } from './language.tsx'
import { IN_WEB_VIEW, IS_SANDBOX, SITE } from './place.ts'
import { useSession } from './session.tsx'

const TEXTS = {
  ko: {
    back: '뒤로',
    menu: '메뉴',
    other: 'English',
    home: '자산',
    register: '상품권 등록',
    history: '내역',
    settings: '설정',
    login: '로그인',
    signup: '회원가입',
    through: (partner: string) => `${partner}에서 열었어요`,
    sandbox: '연습용이에요. 실제 돈이나 금, 은이 아니에요.',
    docs: 'API 문서',
  },
  en: {
    back: 'Back',
    menu: 'Menu',
    other: '한국어',
    home: 'Assets',
    register: 'Add card',
    history: 'History',
    settings: 'Settings',
    login: 'Log in',
    signup: 'Sign up',
    through: (partner: string) => `Opened from ${partner}`,
    sandbox: 'Sandbox: no real money, gold or silver.',
    docs: 'API docs',
  },
}

interface Props {
  title: string
  // Pages of a task lead back; the others have the menu below.
  back?: boolean | (() => void)
  tabs?: boolean
  wide?: boolean
  actions?: ReactNode
  children: ReactNode
}

// Every page: what is above it, what is below it, and its buttons: within reach of a thumb on a phone, in place on a
// larger screen, where the bar above leads everywhere.
export function Screen({ title, back, tabs = false, wide = false, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Ingot`
  }, [title])
  return (
    <div data-tabs={tabs || undefined} className="group/screen flex min-h-dvh flex-col">
      {/* A task on a phone has the whole screen; the foot is below it. */}
      <div className={back && !tabs ? 'flex min-h-dvh flex-col md:contents' : 'contents'}>
        <Top {...{ back, tabs }} />
        <div
          className={`safe-x mx-auto flex w-full max-w-[30rem] flex-1 flex-col md:pt-6 md:pb-10 ${wide ? 'md:max-w-[64rem]' : ''}`}
        >
          <main tabIndex={-1} className="flex flex-1 flex-col gap-3 pt-1 md:gap-4">
            {back && <Back {...{ back }} inPlace />}
            <Opened />
            {children}
            {actions && <Bottom>{actions}</Bottom>}
          </main>
        </div>
      </div>
      <Foot />
      {tabs && <Tabs />}
    </div>
  )
}

// The buttons of a page: below everything, and in sight while the rest scrolls.
export function Bottom({ children }: { children: ReactNode }) {
  return (
    <div className="no-print sticky bottom-0 z-10 -mx-1 mt-auto flex flex-col gap-2 bg-ground px-1 pt-3 pb-3 group-data-tabs/screen:static md:static md:mt-0">
      {children}
    </div>
  )
}

interface TopProps {
  back: Props['back'] | undefined
  tabs: boolean
}

function Top({ back, tabs }: TopProps) {
  return (
    <header className="no-print pt-[env(safe-area-inset-top)] md:sticky md:top-0 md:z-20 md:border-b md:border-line md:bg-surface">
      <div className="safe-x mx-auto flex min-h-14 max-w-[30rem] items-center justify-between gap-2 md:max-w-[64rem] md:gap-6">
        {back && <Back {...{ back }} />}
        <Link to="/" className={`brand min-h-12 px-1 text-ink no-underline ${back ? 'max-md:hidden' : ''}`}>
          Ingot
        </Link>
        <Navigation tabs={tabs} />
        <LanguageSwitch />
      </div>
    </header>
  )
}

// An arrow in a phone's bar; above the page, with its word, on a larger screen.
function Back({ back, inPlace = false }: { back: Props['back']; inPlace?: boolean }) {
  const router = useRouter()
  const texts = useTexts(TEXTS)
  const goBack = typeof back === 'function' ? back : () => router.history.back()
  const look = inPlace
    ? 'gap-1 self-start ps-1 pe-3 rounded-xl max-md:hidden'
    : 'size-12 rounded-full md:hidden'
  return (
    <button
      type="button"
      aria-label={texts.back}
      onClick={goBack}
      className={`no-print -ms-3 flex min-h-12 shrink-0 items-center justify-center text-body hover:bg-quiet ${look}`}
    >
      <BackIcon />
      {inPlace && texts.back}
    </button>
  )
}

function LanguageSwitch() {
  const { language, setLanguage } = useLanguage()
  const other = language === 'ko' ? 'en' : 'ko'
  return (
    <button
      type="button"
      lang={other}
      onClick={() => setLanguage(other)}
      className="min-h-12 min-w-12 rounded-xl px-2 text-[0.9375rem] text-sub hover:bg-quiet hover:text-ink"
    >
      {TEXTS[language].other}
    </button>
  )
}

// In a web view it says whose app this was opened from.
function Opened() {
  const { data } = useSession()
  const texts = useTexts(TEXTS)
  if (!IN_WEB_VIEW || !data?.partner) return null
  return <p className="no-print text-sm text-sub">{texts.through(data.partner)}</p>
}

function Foot() {
  const texts = useTexts(TEXTS)
  return (
    <footer className="no-print safe-x pt-1 pb-[max(12px,env(safe-area-inset-bottom))] text-center text-[0.8125rem] text-sub">
      {IS_SANDBOX && (
        <p className="flex flex-wrap items-center justify-center gap-x-2">
          <span>{texts.sandbox}</span>
          {!IN_WEB_VIEW && (
            <a
              href={`${SITE}/docs/`}
              className="-my-2 inline-flex min-h-12 min-w-12 items-center justify-center underline"
            >
              {texts.docs}
            </a>
          )}
        </p>
      )}
      <Imprint />
    </footer>
  )
}

const ACTIVE = { exact: true, includeSearch: false }

const DOORS = [
  { to: '/login', name: 'login' },
  { to: '/signup', name: 'signup' },
] as const

const TAB_LIST = [
  { to: IN_WEB_VIEW ? '/' : '/assets', name: 'home', Icon: HomeIcon },
  { to: IN_WEB_VIEW ? '/register' : '/', name: 'register', Icon: CardIcon },
  { to: '/history', name: 'history', Icon: ListIcon },
  { to: '/settings', name: 'settings', Icon: GearIcon },
] as const

// On a larger screen: the same places in the bar, and the doors for who is not signed in.
function Navigation({ tabs }: Pick<TopProps, 'tabs'>) {
  const texts = useTexts(TEXTS)
  const { data } = useSession()
  const link =
    'flex min-h-12 items-center rounded-xl px-3 text-[0.9375rem] text-sub no-underline hover:bg-quiet hover:text-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink'
  const inside = data?.signedIn || (tabs && !data)
  const outside = !IN_WEB_VIEW && data?.signedIn === false
  return (
    <nav aria-label={texts.menu} className="flex flex-1 gap-1 empty:invisible max-md:hidden">
      {inside &&
        TAB_LIST.map(({ to, name }) => (
          <Link key={name} to={to} activeOptions={ACTIVE} className={link}>
            {texts[name]}
          </Link>
        ))}
      {outside &&
        DOORS.map(({ to, name }) => (
          <Link key={name} to={to} activeOptions={ACTIVE} className={`${link} first:ms-auto`}>
            {texts[name]}
          </Link>
        ))}
    </nav>
  )
}

function Tabs() {
  const texts = useTexts(TEXTS)
  return (
    <nav
      aria-label={texts.menu}
      className="no-print sticky bottom-0 z-10 flex rounded-t-3xl border-t border-line bg-surface px-2 pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {TAB_LIST.map(({ to, name, Icon }) => (
        <Link
          key={name}
          to={to}
          activeOptions={ACTIVE}
          className="flex min-h-16 min-w-12 flex-1 flex-col items-center justify-center gap-0.5 rounded-xl text-center text-[min(0.75rem,4.2vw)] text-sub no-underline aria-[current=page]:font-semibold aria-[current=page]:text-ink"
        >
          <Icon />
          {texts[name]}
        </Link>
      ))}
    </nav>
  )
}

export function Heading({ children, sub }: { children: ReactNode; sub?: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5 pt-3 pb-2">
      <h1 className="text-[min(1.5rem,9vw)] leading-snug font-bold tracking-tight text-balance">
        {children}
      </h1>
      {sub && <p className="text-sub">{sub}</p>}
    </div>
  )
}
