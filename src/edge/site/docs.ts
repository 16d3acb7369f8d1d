import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip as gzipCompress } from 'node:zlib'
import swagger from '@fastify/swagger'
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { ROOT } from '#base/root.ts'
import { addHeaders } from '#edge/http/documented-headers.ts'
import { ApiError, ERRORS } from '#edge/http/errors.ts'
import { LICENSE, withComponents } from '#edge/http/openapi-document.ts'
import type { Server } from '#edge/http/types.ts'
import type { SiteDeps } from '#edge/site/deps.ts'
import { STYLES_SCRIPT } from '#edge/site/docs-styles.ts'
import type { PageFile } from '#edge/site/shell/files.ts'
import { sendFile } from '#edge/site/shell/send-file.ts'

const ERROR_PAGES = new URL('contract/errors/', ROOT)

// Partners type a key into this page, on the members' origin. Only our own script runs here, and it reaches no other
// host.
const policyWith = (nonce: string) =>
  `default-src 'none'; connect-src 'self'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; ` +
  "img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// The placeholder for each answer's own nonce.
const NONCE = 'nonce-of-this-answer'
// The document is made from the schemas that validate, so it cannot contradict the code.
export async function registerDocs(server: Server, deps: SiteDeps): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Ingot partner API',
        version: deps.version,
        license: LICENSE,
        description:
          'Register users, look up their assets and open the web view for them; buy gold and silver gift cards, look ' +
          'them up, and settle on usage totals. Errors are ' +
          '`{"error": "<message>"}`; send `Accept: application/problem+json` for RFC 9457 with a stable code ' +
          'and a pointer to each bad field. Every answer has `X-Request-Id`.',
      },
      servers: [{ url: deps.publicUrl }],
      tags: [
        { name: 'Users', description: 'Register users, look up their assets, open the web view for them.' },
        {
          name: 'Gift cards',
          description: 'Buy cards, look them up, check and resend their messages, cancel them.',
        },
        { name: 'Usage', description: 'Totals of a period, to settle on.' },
      ],
      components: {
        securitySchemes: {
          partnerKey: { type: 'http', scheme: 'bearer', description: 'API key of the partner: `ik_…`.' },
        },
      },
      security: [{ partnerKey: [] }],
    },
    // Members and staff have documents of their own.
    transform: ({ schema, url }) => ({
      schema: /^\/(?:member|webview|console)\//.test(url) ? { ...schema, hide: true } : schema,
      url,
    }),
  })
  // Made with the first request, because the other audiences register their routes after this.
  let document: object | undefined
  server.get('/openapi.json', { schema: { hide: true } }, async () => {
    document ??= addHeaders(withComponents(server.swagger()))
    return document
  })
  registerReference(server)
  registerErrorPages(server)
}

// The page is four megabytes of script in a module that takes ten times that in memory. So it is loaded when it is
// first opened, into an inner server that is asked once; later answers come from the copy.
function registerReference(server: Server): void {
  let loaded: Promise<Reference> | undefined
  // With the slash, because the page loads its script by a relative address.
  server.get('/docs', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs/', 301))
  server.get('/docs/*', { schema: { hide: true } }, async (request, reply) => {
    // A failed load is tried again by the next request.
    loaded ??= loadReference().catch((error) => {
      loaded = undefined
      throw error
    })
    const { inner, page, scripts } = await loaded
    const path = request.url.split('?')[0]!
    if (path === '/docs/') return sendWithNonce(reply.type('text/html; charset=utf-8'), page)
    const script = scripts.get(path)
    if (script) return sendFile(request, reply, script)
    const other = await inner.inject({ method: 'GET', url: request.url })
    if (other.statusCode === 404) throw new ApiError('not_found')
    return reply.code(other.statusCode).type(String(other.headers['content-type'])).send(other.rawPayload)
  })
}

// A nonce that stayed the same could be copied by a foreign script.
function sendWithNonce(reply: FastifyReply, page: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  const first = `<script nonce="${nonce}">${STYLES_SCRIPT}</script>`
  // The replacement is a function: in a text, `$` would have a meaning of its own.
  return reply
    .header('content-security-policy', policyWith(nonce))
    .send(page.replaceAll(NONCE, nonce).replace('<body>', () => `<body>${first}`))
}

interface Reference {
  inner: FastifyInstance
  page: string
  scripts: ReadonlyMap<string, PageFile>
}

const SCRIPT = 'js/scalar.js'
const BROTLI_QUALITY = 5 // a quarter of the size in a third of a second; 9 takes ten times as long for 4% less

// Compressed once. The page loads the script by a name made of its content, so that a browser keeps it until it
// changes.
async function loadReference(): Promise<Reference> {
  const inner = await startReference()
  const page = await inner.inject({ method: 'GET', url: '/docs/' })
  const { rawPayload: plain } = await inner.inject({ method: 'GET', url: `/docs/${SCRIPT}` })
  const [br, gzip] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    promisify(gzipCompress)(plain),
  ])
  const file = { type: 'text/javascript; charset=utf-8', plain, br, gzip }
  const named = SCRIPT.replace('.js', `-${createHash('sha256').update(plain).digest('hex').slice(0, 16)}.js`)
  return {
    inner,
    page: page.payload.replaceAll(SCRIPT, named),
    scripts: new Map([
      [`/docs/${named}`, { ...file, lasting: true }],
      [`/docs/${SCRIPT}`, { ...file, lasting: false }],
    ]),
  }
}

async function startReference(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const inner = fastify()
  await inner.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      pageTitle: 'Ingot partner API',
      nonce: NONCE,
      url: '/openapi.json',
      // Try-it calls the address that the page was opened at, which may be another name of PUBLIC_URL.
      servers: [{ url: '/' }],
      // Nothing leaves this machine: no proxy for try-it, no fonts, assistants or telemetry from other hosts.
      proxyUrl: '',
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
      defaultOpenAllTags: true,
    },
  })
  return inner
}

// The pages that a problem's `type` links to.
function registerErrorPages(server: Server): void {
  // Read at the start, so that a code without its page stops the service there.
  const pages = new Map(
    Object.keys(ERRORS).map((code) => [code, readFileSync(new URL(`${code}.md`, ERROR_PAGES), 'utf8')]),
  )
  server.get<{ Params: { code: string } }>(
    '/errors/:code',
    { schema: { hide: true } },
    async (request, reply) => {
      const page = pages.get(request.params.code)
      if (!page) throw new ApiError('not_found')
      return reply.type('text/markdown; charset=utf-8').send(page)
    },
  )
}
