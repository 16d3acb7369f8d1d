import '../kit/style.css'
import './register/card-link.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { LanguageProvider } from '../kit/language.tsx'
import { isReachable } from '../kit/lazy-component.tsx'
import { router } from './routes.tsx'
import { queryClient, SESSION } from './shared/session/session.ts'

// Asked for while the page is being made.
void queryClient.prefetchQuery(SESSION)

// Files of a release that is gone: the document knows the new ones. Once, lest a file that is truly missing loop.
window.addEventListener('vite:preloadError', async () => {
  const { timeOrigin } = performance
  const again = Number(window.history.state?.reloadedAt ?? 0)
  if (timeOrigin - again < 10_000 || !(await isReachable())) return
  window.history.replaceState({ ...window.history.state, reloadedAt: timeOrigin }, '')
  window.location.reload()
})

// A page that the browser kept as it was may be of somebody who has left since.
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
