import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// An OpenID Connect provider with one person, who is always signed in: discovery, JWKS, authorization code with PKCE, and id
// tokens signed with RS256. It lies when it is told to.
export interface Person {
  sub: string
  email?: string
  email_verified?: boolean
  auth_time?: number
}

export interface OidcProvider {
  url: string
  client: { id: string; secret: string }
  person: Person
  // In place of what is true, in the next id tokens.
  lies: Record<string, unknown>
  // Signs with a key that its JWKS does not name.
  foreignKey: boolean
  // What browsers asked for, newest last.
  asked: URLSearchParams[]
  close(): Promise<void>
}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

export async function startOidcProvider(person: Person): Promise<OidcProvider> {
  const [own, foreign] = [keyPair(), keyPair()]
  const codes = new Map<string, URLSearchParams>()
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider: OidcProvider = {
    url,
    client: { id: 'ingot', secret: randomBytes(16).toString('hex') },
    person,
    lies: {},
    foreignKey: false,
    asked: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        // A browser keeps its connections.
        server.closeAllConnections()
      }),
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    const json = (body: unknown, status = 200) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (pathname === '/.well-known/openid-configuration') return json(metadata())
    if (pathname === '/jwks') {
      const jwk = own.publicKey.export({ format: 'jwk' })
      return json({ keys: [{ ...jwk, kid: 'one', use: 'sig', alg: 'RS256' }] })
    }
    if (pathname === '/authorize') {
      provider.asked.push(searchParams)
      const code = randomBytes(16).toString('hex')
      codes.set(code, searchParams)
      const back = new URL(searchParams.get('redirect_uri')!)
      back.search = new URLSearchParams({ code, state: searchParams.get('state')! }).toString()
      response.writeHead(303, { location: back.href }).end()
      return
    }
    let body = ''
    for await (const chunk of request) body += chunk
    const grant = new URLSearchParams(body)
    const asked = codes.get(grant.get('code') ?? '')
    codes.delete(grant.get('code') ?? '')
    if (!asked || !isRight(grant, asked)) return json({ error: 'invalid_grant' }, 400)
    json({ access_token: 'x', token_type: 'bearer', expires_in: 60, id_token: idToken(asked) })
  }

  function metadata() {
    return {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
    }
  }

  function isRight(grant: URLSearchParams, asked: URLSearchParams): boolean {
    const challenge = createHash('sha256')
      .update(grant.get('code_verifier') ?? '')
      .digest('base64url')
    return (
      grant.get('client_id') === provider.client.id &&
      grant.get('client_secret') === provider.client.secret &&
      grant.get('redirect_uri') === asked.get('redirect_uri') &&
      challenge === asked.get('code_challenge')
    )
  }

  function idToken(asked: URLSearchParams): string {
    const now = Math.floor(Date.now() / 1_000)
    const nonce = asked.get('nonce')
    const times = { iat: now, exp: now + 60 }
    const claims = {
      iss: url,
      aud: provider.client.id,
      ...times,
      nonce,
      ...provider.person,
      ...provider.lies,
    }
    const signed = `${base64url({ alg: 'RS256', kid: 'one' })}.${base64url(claims)}`
    const { privateKey } = provider.foreignKey ? foreign : own
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
  }

  return provider
}
