import type { FastifyReply, FastifyRequest } from 'fastify'
import { badField, ERRORS } from '#edge/http/errors.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { chosenLanguage, languageOf } from '#edge/http/language.ts'
import { reportOnPage } from '#edge/http/request-log.ts'
import type { Server } from '#edge/http/types.ts'
import type { SiteDeps } from '#edge/site/deps.ts'
import { guardWith, policyFor, sendPage } from '#edge/site/pages/answers.ts'
import { noticePage } from '#edge/site/pages/notice.ts'
import type { InboxKind, InboxMessage } from '#flows/deliveries/read-inbox.ts'
import { nationalMobile, normalizeMobile } from '#modules/gift-cards/phone.ts'
import { inboxPage } from './pages.ts'
import { STYLE } from './style.ts'
import { NOTICES } from './texts.ts'

const POLICY = policyFor(STYLE)

// The messages that a real provider would have sent. They contain PINs, so the inbox exists in a sandbox only.
export async function registerInbox(server: Server, deps: SiteDeps): Promise<void> {
  await server.register(async (scope: Server) => {
    scope.addHook('onRequest', (_request, reply, done) => {
      guardWith(POLICY, reply).header('x-robots-tag', 'noindex')
      done()
    })
    scope.get('/dev/inbox.json', { schema: { hide: true } }, async (request) => {
      const to = typedNumber(request)
      const recipient = to === undefined ? undefined : readNumber(to)
      if (to !== undefined && !recipient) throw badField(request, 'to', 'must be a Korean mobile number')
      return (await deps.readInbox({ to: recipient, kind: wantedKind(request) })).map(toJson)
    })
    // A scope of its own: here errors are pages, while the JSON above answers with JSON.
    await scope.register(async (pages: Server) => {
      pages.setErrorHandler((error, request, reply) => answerError(deps, error, request, reply))
      registerPage(pages, deps)
    })
  })
}

function registerPage(pages: Server, deps: SiteDeps): void {
  pages.get('/dev/inbox', { schema: { hide: true } }, async (request, reply) => {
    const to = (typedNumber(request) ?? '').trim()
    const recipient = readNumber(to)
    const kind = wantedKind(request)
    // A number that cannot be read shows nothing, instead of everyone's messages.
    const messages = to === '' || recipient ? await deps.readInbox({ to: recipient, kind }) : undefined
    // The page is sent without the error handler, so the log learns of the refusal here.
    if (!messages) request.errorCode = 'invalid_request'
    const page = inboxPage({
      language: languageOf(request),
      chosen: chosenLanguage(request),
      to,
      kind,
      messages,
      publicUrl: deps.publicUrl,
      magicNumbers: deps.magicNumbers,
    })
    return sendPage(reply, messages ? 200 : 400, page)
  })
}

function answerError(
  deps: SiteDeps,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const code = reportOnPage(deps, error, request, reply)
  const notice = code === 'service_unavailable' ? NOTICES.away : NOTICES.failed
  return sendPage(reply, ERRORS[code].status, noticePage(notice, languageOf(request), STYLE))
}

// Cards' messages, unless the address asks for notices.
function wantedKind(request: FastifyRequest): InboxKind {
  const { kind = 'card' } = request.query as { kind?: unknown }
  if (kind !== 'card' && kind !== 'notice') throw badField(request, 'kind', 'must be card or notice')
  return kind
}

// The number as the address has it. If it is there twice, it counts as unreadable.
function typedNumber(request: FastifyRequest): string | undefined {
  const { to } = request.query as { to?: string | string[] }
  return Array.isArray(to) ? to.join() : to
}

// A plus sign that was not escaped arrives as a blank.
function readNumber(to: string): string | undefined {
  return normalizeMobile(to.replace(/^ ?(?=82)/, '+'))
}

function toJson(message: InboxMessage) {
  const { channel, to, body, giftId, sentAt, status } = message
  return { channel, to: nationalMobile(to), body, giftId, sentAt: instantText(sentAt), status }
}
