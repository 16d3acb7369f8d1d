import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import RegisterPage from './register/page.tsx'
import { NotFound, RootLayout } from './root-layout.tsx'
import { IN_WEB_VIEW, PAGES_PATH } from './shared/environment.ts'
import { lazyPage, PageNotLoaded } from './shared/lazy.tsx'
import { ASSETS } from './shared/movements.ts'

// Every page and its path; src/edge/site/shell/shell.ts sends the document for each. The first script has
// the first page; the others load when they are needed. Signing up and logging in do not exist inside a partner's app.
const root = createRootRoute({ component: RootLayout, notFoundComponent: NotFound })
const getParentRoute = () => root

const SignupPage = IN_WEB_VIEW ? NotFound : lazyPage(() => import('./signup/page.tsx'))
const RecoverPage = IN_WEB_VIEW ? NotFound : lazyPage(() => import('./recover/page.tsx'))
const AssetsPage = lazyPage(() => import('./assets/page.tsx'))

const routes = [
  createRoute({ getParentRoute, path: '/', component: IN_WEB_VIEW ? AssetsPage : RegisterPage }),
  createRoute({ getParentRoute, path: '/register', component: RegisterPage }),
  createRoute({
    getParentRoute,
    path: '/login',
    validateSearch: readTo,
    component: IN_WEB_VIEW ? NotFound : lazyPage(() => import('./login/page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/receive',
    component: IN_WEB_VIEW ? NotFound : lazyPage(() => import('./receive/page.tsx')),
  }),
  // Each step has an address of its own, so that a reload and Back lose nothing.
  createRoute({ getParentRoute, path: '/signup', validateSearch: readTo, component: SignupPage }),
  createRoute({ getParentRoute, path: '/signup/code', validateSearch: readTo, component: SignupPage }),
  createRoute({ getParentRoute, path: '/signup/terms', component: SignupPage }),
  createRoute({ getParentRoute, path: '/signup/partners', component: SignupPage }),
  createRoute({ getParentRoute, path: '/signup/done', component: SignupPage }),
  createRoute({ getParentRoute, path: '/recover', component: RecoverPage }),
  createRoute({ getParentRoute, path: '/recover/code', component: RecoverPage }),
  createRoute({ getParentRoute, path: '/recover/password', component: RecoverPage }),
  createRoute({ getParentRoute, path: '/assets', component: AssetsPage }),
  createRoute({
    getParentRoute,
    path: '/trade/$metal',
    validateSearch: readSide,
    component: lazyPage(() => import('./trade/page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/history',
    validateSearch: readHistory,
    component: lazyPage(() => import('./history/page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/statement',
    validateSearch: readNumber,
    component: lazyPage(() => import('./statement/page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/statement/check',
    component: IN_WEB_VIEW ? NotFound : lazyPage(() => import('./check/page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/withdraw',
    validateSearch: readStep,
    component: IN_WEB_VIEW ? NotFound : lazyPage(() => import('./withdraw/page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/stop',
    component: IN_WEB_VIEW ? NotFound : lazyPage(() => import('./stop/page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/settings',
    component: lazyPage(() => import('./settings/page.tsx')),
  }),
] as const

// Where to go after logging in. Only a path of these pages: anything else in the address would be an open redirect.
function readTo({ to }: Record<string, unknown>): { to?: string } {
  return typeof to === 'string' && /^\/(?:[a-z]+(?:\/[a-z]+)?)?$/.test(to) ? { to } : {}
}

function readSide({ side }: Record<string, unknown>): { side?: 'buy' | 'sell' } {
  return side === 'buy' || side === 'sell' ? { side } : {}
}

function readHistory({ asset, open }: Record<string, unknown>): {
  asset?: (typeof ASSETS)[number]
  open?: string
} {
  // Values that do not exist count as none, so that no link breaks the page.
  const known = ASSETS.find((one) => one === asset)
  const isId = typeof open === 'string' && /^[\w-]{1,80}$/.test(open)
  return { ...(known ? { asset: known } : {}), ...(isId ? { open } : {}) }
}

function readStep({ step }: Record<string, unknown>): { step?: 'account' } {
  return step === 'account' ? { step } : {}
}

// The number of an issued statement. The router turns digits into a number and drops leading zeros.
function readNumber({ number }: Record<string, unknown>): { number?: string } {
  const digits = String(number ?? '').padStart(12, '0')
  return number !== undefined && /^\d{12}$/.test(digits) ? { number: digits } : {}
}

export const router = createRouter({
  routeTree: root.addChildren(routes),
  basepath: PAGES_PATH,
  scrollRestoration: true,
  // A page begins to load when a pointer or a finger reaches its link.
  defaultPreload: 'intent',
  defaultErrorComponent: ({ reset }) => <PageNotLoaded onRetry={reset} />,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
