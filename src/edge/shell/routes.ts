import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '#edge/errors.ts'
import type { EdgeDeps, Server } from '#edge/types.ts'
import type { PageFile } from './files.ts'
import { PAGES, sendShell } from './shell.ts'

const YEAR_SECONDS = 31_536_000
const DAY_SECONDS = 86_400

// The member's pages: one document for all of them, and the files it loads.
export function registerPages(server: Server, deps: EdgeDeps): void {
  const options = { schema: { hide: true } }
  server.get('/', options, async (request, reply) => {
    if (deps.keyMode === 'test') reply.header('x-robots-tag', 'noindex')
    return sendShell(deps, request, reply, { mode: 'member', page: 'register' })
  })
  for (const page of PAGES) {
    server.get(`/${page}`, options, async (request, reply) =>
      sendShell(deps, request, reply.header('x-robots-tag', 'noindex'), { mode: 'member', page }),
    )
  }
  server.get<{ Params: { name: string } }>('/static/:name', options, async (request, reply) => {
    const file = deps.pages.files.get(request.params.name)
    if (!file) throw new ApiError('not_found')
    return sendFile(request, reply, file)
  })
  // What a browser asks for of itself, on pages that name no icon.
  server.get('/favicon.ico', options, async (request, reply) => {
    const icon = deps.pages.files.get('icon.svg')
    if (!icon) throw new ApiError('not_found')
    return sendFile(request, reply, icon)
  })
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  const age = file.lasting ? `max-age=${YEAR_SECONDS}, immutable` : `max-age=${DAY_SECONDS}`
  reply
    .type(file.type)
    .header('cache-control', `public, ${age}`)
    .header('vary', 'accept-encoding')
    .header('cross-origin-resource-policy', 'same-origin')
  const wanted = request.headers['accept-encoding']
  const encoding =
    file.br && takes(wanted, 'br') ? 'br' : file.gzip && takes(wanted, 'gzip') ? 'gzip' : undefined
  if (encoding === undefined) return reply.send(file.plain)
  return reply.header('content-encoding', encoding).send(file[encoding])
}

function takes(accepted: string | string[] | undefined, encoding: string): boolean {
  return String(accepted ?? '')
    .split(',')
    .some((part) => {
      const [name, weight] = part.split(';').map((word) => word.trim())
      return name === encoding && !/^q=0(?:\.0*)?$/.test(weight ?? '')
    })
}
