import { Link, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { BASE_PATH, IS_SANDBOX } from './environment.ts'
import { BackIcon } from './icons.tsx'
import { Imprint } from './imprint.tsx'
import { useLanguage, useTexts } from './language.tsx'

const TEXTS = {
  ko: {
    back: '뒤로',
    other: 'English',
    sandbox: '연습용이에요. 실제 돈이나 금, 은이 아니에요.',
    docs: 'API 문서',
  },
  en: {
    back: 'Back',
    other: '한국어',
    sandbox: 'Sandbox: no real money, gold or silver.',
    docs: 'API docs',
  },
}

export interface PageProps {
  title: string
  // A page inside a task leads back instead of showing tabs.
  back?: boolean | (() => void)
  wide?: boolean
  actions?: ReactNode
  children: ReactNode
}

interface Props extends PageProps {
  // Links in the header, shown on larger screens.
  navigation: ReactNode
  // Above the content, on every page.
  notice?: ReactNode
  // Fixed below the content on a phone.
  tabBar?: ReactNode
  docsLink: boolean
}

// Every page: header, content, its buttons, footer. A phone has the buttons within reach of a thumb; a larger screen has
// them in place, and its header leads everywhere.
export function Layout({ title, back, wide = false, actions, children, ...frame }: Props) {
  const { navigation, notice, tabBar, docsLink } = frame
  useEffect(() => {
    // The document is the same for all pages, so its title is set here.
    document.title = `${title} · Ingot`
  }, [title])
  return (
    <div data-tabs={tabBar ? true : undefined} className="group/screen flex min-h-dvh flex-col">
      {/* A task on a phone fills the screen: the footer starts below it. */}
      <div className={back && !tabBar ? 'flex min-h-dvh flex-col md:contents' : 'contents'}>
        <Header back={back}>{navigation}</Header>
        <div
          className={`safe-x mx-auto flex w-full max-w-[30rem] flex-1 flex-col md:pt-6 md:pb-10 ${wide ? 'md:max-w-[64rem]' : ''}`}
        >
          <main tabIndex={-1} className="flex flex-1 flex-col gap-3 pt-1 md:gap-4">
            {back && <Back {...{ back }} inPlace />}
            {notice}
            {children}
            {actions && <PageActions>{actions}</PageActions>}
          </main>
        </div>
      </div>
      <Footer docsLink={docsLink} />
      {tabBar}
    </div>
  )
}

// The buttons of a page: at its end, and in view while the rest scrolls. Tabs take that place where a page has them.
export function PageActions({ children }: { children: ReactNode }) {
  return (
    <div className="no-print sticky bottom-0 z-10 -mx-1 mt-auto flex flex-col gap-2 bg-ground px-1 pt-3 pb-3 group-data-tabs/screen:static md:static md:mt-0">
      {children}
    </div>
  )
}

function Header({ back, children }: { back: PageProps['back']; children: ReactNode }) {
  return (
    <header className="no-print pt-[env(safe-area-inset-top)] md:sticky md:top-0 md:z-20 md:border-b md:border-line md:bg-surface">
      <div className="safe-x mx-auto flex min-h-14 max-w-[30rem] items-center justify-between gap-2 md:max-w-[64rem] md:gap-6">
        {back && <Back {...{ back }} />}
        <Link to="/" className={`brand min-h-12 px-1 text-ink no-underline ${back ? 'max-md:hidden' : ''}`}>
          Ingot
        </Link>
        {children}
        <LanguageSwitch />
      </div>
    </header>
  )
}

// An arrow in a phone's header. On a larger screen it stands above the content, with its word.
function Back({ back, inPlace = false }: { back: PageProps['back']; inPlace?: boolean }) {
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

function Footer({ docsLink }: { docsLink: boolean }) {
  const texts = useTexts(TEXTS)
  return (
    <footer className="no-print safe-x pt-1 pb-[max(12px,env(safe-area-inset-bottom))] text-center text-[0.8125rem] text-sub">
      {IS_SANDBOX && (
        <p className="flex flex-wrap items-center justify-center gap-x-2">
          <span>{texts.sandbox}</span>
          {docsLink && (
            <a
              href={`${BASE_PATH}/docs/`}
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
