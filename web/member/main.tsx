import './style.css'
import './register/card-link.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { LanguageProvider } from '../kit/language.tsx'
import { isReachable } from '../kit/lazy-component.tsx'
import { router } from './routes.tsx'
import { queryClient, SESSION } from './shared/session/session.ts'

// Starts before React renders, so that the session is there sooner.
void queryClient.prefetchQuery(SESSION)

// A release has replaced the files that this document names: a reload brings the new ones. Only once in ten seconds, or a
// file that is truly missing would reload forever.
window.addEventListener('vite:preloadError', async () => {
  const { timeOrigin } = performance
  const again = Number(window.history.state?.reloadedAt ?? 0)
  if (timeOrigin - again < 10_000 || !(await isReachable())) return
  window.history.replaceState({ ...window.history.state, reloadedAt: timeOrigin }, '')
  window.location.reload()
})

// The browser's back/forward cache may bring back the page of a member who has signed out since.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) void queryClient.invalidateQueries()
})

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <LanguageProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </LanguageProvider>,
  )
}
