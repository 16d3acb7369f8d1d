import { Link } from '@tanstack/react-router'
import { CardIcon, GearIcon, HomeIcon, ListIcon } from '../../kit/icons.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Layout, type PageProps } from '../../kit/layout.tsx'
import { IN_WEB_VIEW } from './environment.ts'
import { useSession } from './session/session.ts'

const TEXTS = {
  ko: {
    menu: '메뉴',
    home: '자산',
    register: '상품권 등록',
    history: '내역',
    settings: '설정',
    login: '로그인',
    signup: '회원가입',
    through: (partner: string) => `${partner}에서 열었어요`,
  },
  en: {
    menu: 'Menu',
    home: 'Assets',
    register: 'Add card',
    history: 'History',
    settings: 'Settings',
    login: 'Log in',
    signup: 'Sign up',
    through: (partner: string) => `Opened from ${partner}`,
  },
}

// The kit's layout with the member's navigation.
export function MemberLayout({ tabs = false, ...page }: PageProps & { tabs?: boolean }) {
  return (
    <Layout
      {...page}
      navigation={<Navigation tabs={tabs} />}
      notice={<OpenedFrom />}
      tabBar={tabs && <TabBar />}
      docsLink={!IN_WEB_VIEW}
    />
  )
}

// A web view names the partner whose app opened it.
function OpenedFrom() {
  const { data } = useSession()
  const texts = useTexts(TEXTS)
  if (!IN_WEB_VIEW || !data?.partner) return null
  return <p className="no-print text-sm text-sub">{texts.through(data.partner)}</p>
}

// A tab is current on its own page only, whatever filter the address has.
const ACTIVE = { exact: true, includeSearch: false }

const GUEST_LINKS = [
  { to: '/login', name: 'login' },
  { to: '/signup', name: 'signup' },
] as const

// On the website / is the page for registering a card, because every message leads there. A web view starts with the assets.
const TABS = [
  { to: IN_WEB_VIEW ? '/' : '/assets', name: 'home', Icon: HomeIcon },
  { to: IN_WEB_VIEW ? '/register' : '/', name: 'register', Icon: CardIcon },
  { to: '/history', name: 'history', Icon: ListIcon },
  { to: '/settings', name: 'settings', Icon: GearIcon },
] as const

// The header of a larger screen: the tabs for a member, logging in and signing up for a guest.
function Navigation({ tabs }: { tabs: boolean }) {
  const texts = useTexts(TEXTS)
  const { data } = useSession()
  const link =
    'flex min-h-12 min-w-12 items-center justify-center rounded-xl px-3 text-[0.9375rem] text-sub no-underline hover:bg-quiet hover:text-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink'
  // A page with tabs belongs to a member: its links are there before the session has loaded.
  const isMember = data?.signedIn || (tabs && !data)
  // Nothing until the session is known, so that no link appears and goes again.
  const isGuest = !IN_WEB_VIEW && data?.signedIn === false
  return (
    <nav aria-label={texts.menu} className="flex flex-1 gap-1 empty:invisible max-md:hidden">
      {isMember &&
        TABS.map(({ to, name }) => (
          <Link key={name} to={to} activeOptions={ACTIVE} className={link}>
            {texts[name]}
          </Link>
        ))}
      {isGuest &&
        GUEST_LINKS.map(({ to, name }) => (
          <Link key={name} to={to} activeOptions={ACTIVE} className={`${link} first:ms-auto`}>
            {texts[name]}
          </Link>
        ))}
    </nav>
  )
}

// On phones. A larger screen has the same links in its header.
function TabBar() {
  const texts = useTexts(TEXTS)
  return (
    <nav
      aria-label={texts.menu}
      className="no-print sticky bottom-0 z-10 flex rounded-t-3xl border-t border-line bg-surface px-2 pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {TABS.map(({ to, name, Icon }) => (
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
