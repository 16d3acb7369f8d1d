import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { HomePage } from './home-page.tsx'
import { NotFound, RootLayout } from './root-layout.tsx'
import { Refusal } from './shared/api/refusal.ts'
import { PAGES_PATH } from './shared/environment.ts'
import { lazyPart } from './shared/lazy.tsx'
import { type Query, textOf } from './shared/list/address.ts'
import { PageError } from './shared/page-error.tsx'

// Every page and its path, below /console. Each loads when it is needed.
const root = createRootRoute({ component: RootLayout, notFoundComponent: NotFound })
const getParentRoute = () => root

// A tuple: the router derives the typed paths of all links from it.
const routes = [
  createRoute({ getParentRoute, path: '/', component: HomePage }),
  createRoute({
    getParentRoute,
    path: '/delivery-health',
    component: lazyPart(() => import('./delivery-health/page.tsx')),
  }),
  createRoute({ getParentRoute, path: '/prices', component: lazyPart(() => import('./prices/page.tsx')) }),
  createRoute({ getParentRoute, path: '/roles', component: lazyPart(() => import('./roles/page.tsx')) }),
  createRoute({
    getParentRoute,
    path: '/retention',
    component: lazyPart(() => import('./retention/page.tsx')),
  }),
  createRoute({ getParentRoute, path: '/staff', component: lazyPart(() => import('./staff/page.tsx')) }),
  createRoute({ getParentRoute, path: '/account', component: lazyPart(() => import('./account/page.tsx')) }),
  createRoute({ getParentRoute, path: '/welcome', component: lazyPart(() => import('./welcome/page.tsx')) }),
  createRoute({ getParentRoute, path: '/cards', component: lazyPart(() => import('./cards/page.tsx')) }),
  createRoute({ getParentRoute, path: '/members', component: lazyPart(() => import('./members/page.tsx')) }),
  createRoute({ getParentRoute, path: '/users', component: lazyPart(() => import('./users/page.tsx')) }),
  createRoute({
    getParentRoute,
    path: '/deliveries',
    component: lazyPart(() => import('./deliveries/page.tsx')),
  }),
  createRoute({ getParentRoute, path: '/notices', component: lazyPart(() => import('./notices/page.tsx')) }),
  createRoute({ getParentRoute, path: '/orders', component: lazyPart(() => import('./orders/page.tsx')) }),
  createRoute({
    getParentRoute,
    path: '/withdrawals',
    component: lazyPart(() => import('./withdrawals/page.tsx')),
  }),
] as const

const approvals = [
  createRoute({
    getParentRoute,
    path: '/approvals',
    // The open requests are the default view, so only the other view has a name in the address.
    validateSearch: ({ view }: Record<string, unknown>): { view?: 'decided' } =>
      view === 'decided' ? { view } : {},
    component: lazyPart(() => import('./approvals/page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/approvals/$requestId',
    component: lazyPart(() => import('./approvals/request-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/withdrawals/$withdrawalId',
    component: lazyPart(() => import('./withdrawal/page.tsx')),
  }),
] as const

const statements = [
  createRoute({
    getParentRoute,
    path: '/statements',
    component: lazyPart(() => import('./statements/page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/statements/$number',
    component: lazyPart(() => import('./statement/page.tsx')),
  }),
] as const

// The texts of these names, and nothing else.
const only =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>) =>
    Object.fromEntries(
      names.filter((name) => typeof search[name] === 'string').map((name) => [name, search[name]]),
    ) as { [Key in Name]?: string | undefined }

const reports = [
  createRoute({ getParentRoute, path: '/reports', component: lazyPart(() => import('./reports/page.tsx')) }),
  // This route has no search parameters: a name or a number must not be in an address.
  createRoute({
    getParentRoute,
    path: '/reports/transactions',
    component: lazyPart(() => import('./reports/person-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/reports/$report',
    validateSearch: only('from', 'to'),
    component: lazyPart(() => import('./reports/report-page.tsx')),
  }),
] as const

const books = [
  createRoute({
    getParentRoute,
    path: '/month-end',
    validateSearch: only('month'),
    component: lazyPart(() => import('./month-end/page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/trial-balance',
    validateSearch: only('at'),
    component: lazyPart(() => import('./books/trial-balance-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/book-account',
    validateSearch: only('account', 'asset', 'partner', 'from', 'at'),
    component: lazyPart(() => import('./books/account-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/book-rows',
    validateSearch: only('day', 'at', 'account', 'asset', 'kind', 'partner', 'belongsTo'),
    component: lazyPart(() => import('./books/rows-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/days',
    validateSearch: only('until'),
    component: lazyPart(() => import('./books/days-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/days/$day',
    component: lazyPart(() => import('./books/day-page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/bank-file',
    component: lazyPart(() => import('./bank-file/page.tsx')),
  }),
  createRoute({ getParentRoute, path: '/bullion', component: lazyPart(() => import('./bullion/page.tsx')) }),
] as const

// One object each.
const objects = [
  createRoute({
    getParentRoute,
    path: '/cards/$cardId',
    component: lazyPart(() => import('./card/page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/members/$memberId',
    component: lazyPart(() => import('./member/page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/partners',
    component: lazyPart(() => import('./partners/page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/partners/$code',
    component: lazyPart(() => import('./partner/page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/users/$userId',
    component: lazyPart(() => import('./user/page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/orders/$orderId',
    component: lazyPart(() => import('./order/page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/deliveries/$deliveryId',
    component: lazyPart(() => import('./delivery/page.tsx')),
  }),
  createRoute({
    getParentRoute,
    path: '/requests/$apiRequestId',
    component: lazyPart(() => import('./request/page.tsx')),
  }),
] as const

const refunds = [
  createRoute({
    getParentRoute,
    path: '/refund-policies',
    component: lazyPart(() => import('./refund-policies/page.tsx')),
  }),
] as const

const audit = [
  createRoute({ getParentRoute, path: '/audit', component: lazyPart(() => import('./audit/page.tsx')) }),
  createRoute({
    getParentRoute,
    path: '/audit/$entryId',
    component: lazyPart(() => import('./audit/entry-page.tsx')),
  }),
] as const

export const router = createRouter({
  routeTree: root.addChildren([
    ...routes,
    ...approvals,
    ...statements,
    ...reports,
    ...books,
    ...objects,
    ...refunds,
    ...audit,
  ]),
  basepath: PAGES_PATH,
  scrollRestoration: true,
  // Filters are plain text in the address: `amount=50000` is no number, and `key=1e5` no 100000.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => textOf(search as Query),
  defaultPreload: 'intent',
  defaultErrorComponent: ({ reset }) => <PageError error={new Refusal('offline')} onRetry={reset} />,
})

// These types are global to a TypeScript project, so each audience has a project of its own (decisions/0070).
declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
