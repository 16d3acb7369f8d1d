import { readFileSync, statSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'

// TLS to the database as libpq means it.
//   disable      none
//   require      encrypted; whoever answers is believed, unless sslrootcert is given: then as verify-ca
//   verify-ca    the certificate has to be of an authority in sslrootcert
//   verify-full  and has to name the host that was asked for
const MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const
type TlsMode = (typeof MODES)[number]

export interface Tls {
  mode: TlsMode
  // A TLS handshake at once, without asking first (PostgreSQL 17).
  direct: boolean
  // For a new connection: false is none. Files are read each time, so that a renewed certificate is taken up. Where that
  // fails, what was read last counts.
  options(): ConnectionOptions | false
}

type Complain = (why: string) => Error
type Parameters = ReadonlyMap<string, string>

const FILES = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const

export function tlsOf(
  parameters: Parameters,
  hosts: readonly { host: string }[],
  complain: Complain,
): Tls | undefined {
  const mode = readMode(parameters, complain)
  const direct = readDirect(parameters, mode, complain)
  if (mode === undefined) return undefined
  // As in libpq: on a Unix socket there is none.
  if (mode === 'disable') return { mode, direct, options: () => false }
  if (hosts.some(({ host }) => host.startsWith('/'))) {
    throw complain(`has sslmode=${mode}, but on a Unix socket there is no TLS: leave it out`)
  }
  refuseContradictions(parameters, mode, complain)
  let files = readFiles(parameters, complain)
  const checks = checksOf(mode, parameters.has('sslrootcert'))
  return {
    mode,
    direct,
    options() {
      try {
        files = readFiles(parameters, complain)
      } catch {
        // While a file is being replaced.
      }
      return { ...files, ...checks }
    },
  }
}

function readMode(parameters: Parameters, complain: Complain): TlsMode | undefined {
  const text = parameters.get('sslmode')
  if (text === undefined) {
    const without = Object.keys(FILES).find((name) => parameters.has(name))
    if (without) throw complain(`has ${without} without sslmode: say sslmode=verify-full`)
    return undefined
  }
  if (text === 'prefer' || text === 'allow') {
    throw complain(
      `has sslmode=${text}, which may end up without TLS: say require, verify-ca, verify-full or disable`,
    )
  }
  if (text === 'no-verify') throw complain('has sslmode=no-verify, which is not one of libpq: say require')
  const mode = MODES.find((one) => one === text)
  if (mode === undefined) throw complain(`has an sslmode that is not one of ${MODES.join(', ')}`)
  return mode
}

function readDirect(parameters: Parameters, mode: TlsMode | undefined, complain: Complain): boolean {
  const text = parameters.get('sslnegotiation') ?? 'postgres'
  if (text !== 'postgres' && text !== 'direct')
    throw complain('has an sslnegotiation that is not postgres or direct')
  if (text === 'direct' && (mode === undefined || mode === 'disable')) {
    throw complain('has sslnegotiation=direct without TLS: say sslmode=verify-full')
  }
  return text === 'direct'
}

function refuseContradictions(parameters: Parameters, mode: TlsMode, complain: Complain): void {
  const root = parameters.get('sslrootcert')
  if (root === 'system' && mode !== 'verify-full') {
    throw complain(
      `has sslrootcert=system with sslmode=${mode}: anyone has a public certificate. Say sslmode=verify-full`,
    )
  }
  if (mode === 'verify-ca' && root === undefined) {
    throw complain(
      'has sslmode=verify-ca without sslrootcert: name the file of the authority, or say verify-full',
    )
  }
  if (parameters.has('sslcert') !== parameters.has('sslkey')) {
    throw complain('has one of sslcert and sslkey: a client certificate needs both')
  }
}

// The driver hands the name of each host to the check.
function checksOf(mode: TlsMode, hasRoot: boolean): ConnectionOptions {
  if (mode === 'verify-full') return { rejectUnauthorized: true }
  if (mode === 'require' && !hasRoot) return { rejectUnauthorized: false }
  return { rejectUnauthorized: true, checkServerIdentity: () => undefined }
}

function readFiles(parameters: Parameters, complain: Complain): ConnectionOptions {
  const files: ConnectionOptions = {}
  for (const [name, option] of Object.entries(FILES)) {
    const path = parameters.get(name)
    if (path === undefined || (name === 'sslrootcert' && path === 'system')) continue
    files[option] = readFile(name, path, complain)
  }
  return files
}

function readFile(name: string, path: string, complain: Complain): string {
  try {
    // As libpq: others must not read the key; root's may be readable by its group.
    const { mode, uid } = statSync(path)
    if (name === 'sslkey' && (mode & (uid === 0 ? 0o027 : 0o077)) !== 0) {
      throw complain(`has an sslkey that others can read: chmod 600 ${path}`)
    }
    const text = readFileSync(path, 'utf8')
    if (!text.includes('-----BEGIN ')) throw complain(`has an ${name} that is not a PEM file: ${path}`)
    return text
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === undefined ? error : complain(`has an ${name} that cannot be read (${code}): ${path}`)
  }
}
