import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { NotFound, RootLayout } from './root-layout.tsx'
import { Refusal } from './shared/api/refusal.ts'
import { LoadError } from './shared/api/refusal-message.tsx'
import { PAGES_PATH } from './shared/environment.ts'
import { lazyPart } from './shared/lazy.tsx'

// Every page and its path, below /console. Each loads when it is needed.
const root = createRootRoute({ component: RootLayout, notFoundComponent: NotFound })
const getParentRoute = () => root

const routes = [
  createRoute({ getParentRoute, path: '/', component: lazyPart(() => import('./overview/page.tsx')) }),
  createRoute({
    getParentRoute,
    path: '/delivery-health',
    component: lazyPart(() => import('./delivery-health/page.tsx')),
  }),
  createRoute({ getParentRoute, path: '/prices', component: lazyPart(() => import('./prices/page.tsx')) }),
  createRoute({ getParentRoute, path: '/roles', component: lazyPart(() => import('./roles/page.tsx')) }),
] as const

export const router = createRouter({
  routeTree: root.addChildren(routes),
  basepath: PAGES_PATH,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultErrorComponent: ({ reset }) => <LoadError error={new Refusal('offline')} onRetry={reset} />,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
