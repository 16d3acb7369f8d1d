import { ApiError } from '#edge/http/errors.ts'
import type { Server } from '#edge/http/types.ts'
import type { SiteDeps } from '#edge/site/deps.ts'
import { sendFile } from './send-file.ts'
import { PAGES, sendShell } from './shell.ts'

// The member's pages and the console: one document for all pages of each, and the files they load.
export function registerPages(server: Server, deps: SiteDeps): void {
  const options = { schema: { hide: true } }
  server.get('/', options, async (request, reply) => {
    // Search engines may list the first page of a live service, and nothing of a sandbox.
    if (deps.keyMode === 'test') reply.header('x-robots-tag', 'noindex')
    return sendShell(deps, request, reply, { mode: 'member', page: 'register' })
  })
  for (const page of PAGES) {
    server.get(`/${page}`, options, async (request, reply) =>
      sendShell(deps, request, reply.header('x-robots-tag', 'noindex'), { mode: 'member', page }),
    )
  }
  // The console's script knows its pages, so one document answers every path.
  for (const path of ['/console', '/console/*']) {
    server.get<{ Params: { '*'?: string } }>(path, options, async (request, reply) => {
      const page = request.params['*'] || 'overview'
      return sendShell(deps, request, reply.header('x-robots-tag', 'noindex'), { mode: 'console', page })
    })
  }
  server.get<{ Params: { name: string } }>('/static/:name', options, async (request, reply) => {
    const file = deps.pages.files.get(request.params.name)
    if (!file) throw new ApiError('not_found')
    return sendFile(request, reply, file)
  })
  // Browsers ask for these by themselves, on pages that name no icon.
  server.get('/favicon.ico', options, async (request, reply) => {
    const icon = deps.pages.files.get('icon.svg')
    if (!icon) throw new ApiError('not_found')
    return sendFile(request, reply, icon)
  })
}
