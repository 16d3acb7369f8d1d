import type { FastifyReply, FastifyRequest } from 'fastify'
import { languageOf } from '#edge/http/language.ts'
import type { Server } from '#edge/http/types.ts'
import type { SiteDeps } from '#edge/site/deps.ts'
import { guardWith, policyFor, sendPage } from '#edge/site/pages/answers.ts'
import { versionInForce } from '#modules/operator/rules.ts'
import { LEGAL_KINDS, type LegalKind } from '#modules/operator/types.ts'
import { legalPage, protectionPage } from './page.ts'
import { STYLE } from './style.ts'

const POLICY = policyFor(STYLE)

type Deps = Pick<SiteDeps, 'operator' | 'publicUrl' | 'today'>
type FramesOf = (request: FastifyRequest) => Promise<readonly string[]>

// Terms, privacy policy and the page on who holds the metal, for every visitor. `under` is the path: a partner's
// frame shows its own copy, so that a link there stays inside the frame.
export function registerLegal(scope: Server, deps: Deps, under: '' | '/webview', framesOf: FramesOf): void {
  const options = { schema: { hide: true } }
  const root = new URL(deps.publicUrl).pathname.replace(/\/+$/, '') + under
  const place = (request: FastifyRequest) => ({
    operator: deps.operator,
    language: languageOf(request),
    root,
  })
  for (const kind of LEGAL_KINDS) {
    const send = async (request: FastifyRequest, reply: FastifyReply, version?: string) => {
      const inForce = await findInForce(deps, kind)
      const shown = version === undefined ? inForce : findVersion(deps, kind, version)
      if (!shown) return reply.callNotFound()
      guardWith(POLICY, reply, await framesOf(request))
      return sendPage(reply, 200, legalPage({ ...place(request), kind, shown, inForce }))
    }
    scope.get(`${under}/${kind}`, options, (request, reply) => send(request, reply))
    scope.get<{ Params: { version: string } }>(`${under}/${kind}/:version`, options, (request, reply) =>
      send(request, reply, request.params.version),
    )
  }
  scope.get(`${under}/protection`, options, async (request, reply) => {
    guardWith(POLICY, reply, await framesOf(request))
    return sendPage(reply, 200, protectionPage(place(request)))
  })
}

function findVersion({ operator }: Deps, kind: LegalKind, version: string) {
  return operator.texts[kind].find((one) => one.version === version)
}

// Terms can be read while the database is away. Then this machine's day counts.
async function findInForce({ operator, today }: Deps, kind: LegalKind) {
  const day = await today().catch(() => Temporal.Now.plainDateISO('Asia/Seoul'))
  return versionInForce(operator.texts[kind], day.toString())
}
