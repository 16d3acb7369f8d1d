import './style.css'
// Early: it takes a card's code out of the address before anything else reads it.
import './register/card-link.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { LanguageProvider } from '../kit/language.tsx'
import { router } from './routes.tsx'
import { queryClient, SESSION } from './shared/session/session.ts'

// Starts before React renders, so that the session is there sooner.
void queryClient.prefetchQuery(SESSION)

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
