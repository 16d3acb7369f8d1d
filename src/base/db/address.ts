import { type Tls, tlsOf } from './tls.ts'

// A server that may be the primary. A host that begins with a slash is the folder of a Unix socket.
export interface Host {
  host: string
  port: number
}

// What a postgresql:// address says, in libpq's syntax and with libpq's meaning. The driver knows one host only, and
// takes sslmode for something else.
export interface Address {
  hosts: Host[]
  // Undefined: the driver's default, such as PGUSER.
  user?: string
  password?: string
  database?: string
  // Undefined: sslmode is not given.
  tls?: Tls
  // Settings of the session: `options=-c name=value`.
  session: Record<string, string>
  // Only a server that takes writes will do.
  writable: boolean
}

// Its message never quotes the address, which may hold a password.
export class BadAddress extends Error {}

const SHAPE = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^/?#@]*)(?:\/([^?#/]*))?(?:\?([^#]*))?$/
const DEFAULT_PORT = 5432
const DEFAULT_HOST = 'localhost'

// What the service decides itself, whatever the address says.
const WITHOUT_EFFECT = new Set([
  'application_name',
  'client_encoding',
  'connect_timeout',
  'fallback_application_name',
  'gssencmode',
  'keepalives',
  'keepalives_count',
  'keepalives_idle',
  'keepalives_interval',
  'load_balance_hosts',
  'sslsni',
  'tcp_user_timeout',
])
const KNOWN = [
  ...['host', 'port', 'user', 'password', 'dbname', 'options', 'target_session_attrs'],
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation'],
]
const INSTEAD: Record<string, string> = {
  ssl: 'say sslmode=verify-full, verify-ca, require or disable instead',
  channel_binding: 'sslmode=verify-full makes sure of the server instead',
  hostaddr: 'name the servers by `host` instead',
  uselibpqcompat: 'sslmode has its libpq meaning without it',
  pgbouncer: 'leave it out: docs/database.md says what a pooler needs',
  schema: 'say options=-c%20search_path%3DNAME instead',
}

export function parseAddress(text: string): Address {
  const shape = SHAPE.exec(text)
  if (!shape) {
    throw new BadAddress(
      'is not postgresql://USER:PASSWORD@HOST:PORT/DATABASE. Several hosts are separated by commas; ' +
        'a / ? # or @ in a password is written as %2F %3F %23 %40',
    )
  }
  const [, credentials = '', hostlist = '', path = '', query = ''] = shape
  const parameters = readParameters(query)
  const [userPart = '', ...passwordParts] = credentials.split(':')
  const user = parameters.get('user') ?? decode(userPart)
  const password = parameters.get('password') ?? decode(passwordParts.join(':'))
  const database = parameters.get('dbname') ?? decode(path)
  const hosts = readHosts(hostlist, parameters)
  const tls = tlsOf(parameters, hosts, (why) => new BadAddress(why))
  return {
    hosts,
    ...(user === '' ? {} : { user }),
    ...(password === '' ? {} : { password }),
    ...(database === '' ? {} : { database }),
    ...(tls === undefined ? {} : { tls }),
    session: parseOptions(parameters.get('options') ?? ''),
    writable: readTarget(parameters.get('target_session_attrs'), hosts.length > 1),
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new BadAddress('has a % that begins no character code: write it as %25')
  }
}

function readParameters(query: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [i, part] of query.split('&').filter(Boolean).entries()) {
    // Not by URLSearchParams: for libpq a + is a +, and it would make a blank of it.
    const [name, value] = splitParameter(part)
    if (WITHOUT_EFFECT.has(name)) continue
    if (!KNOWN.includes(name)) {
      const instead = INSTEAD[name]
      if (instead) throw new BadAddress(`has the parameter ${name}, which has no meaning here: ${instead}`)
      // By its place: the name may be the end of a password with a question mark in it.
      throw new BadAddress(
        `has a parameter (number ${i + 1}) that has no meaning here: known are ${KNOWN.join(', ')}. A ? in a password is ` +
          'written as %3F',
      )
    }
    // Two of `options` add up; of anything else one would be passed over in silence.
    const before = parameters.get(name)
    if (before !== undefined && name !== 'options') throw new BadAddress(`has the parameter ${name} twice`)
    parameters.set(name, before === undefined ? value : `${before} ${value}`)
  }
  return parameters
}

function splitParameter(part: string): [name: string, value: string] {
  const [name = '', ...values] = part.split('=')
  return [decode(name), decode(values.join('='))]
}

// Hosts before the path, or in the parameters `host` and `port`, where an address has no room for a socket's folder.
function readHosts(hostlist: string, parameters: ReadonlyMap<string, string>): Host[] {
  const listed = parameters.get('host')
  if (listed !== undefined && hostlist !== '')
    throw new BadAddress('names hosts twice: before the path and in `host`')
  const places =
    listed === undefined
      ? hostlist.split(',').map(splitPort)
      : listed.split(',').map((host) => ({ host, port: '' }))
  const ports = parameters.get('port')?.split(',') ?? []
  if (ports.length > 1 && ports.length !== places.length) {
    throw new BadAddress(`has ${ports.length} ports for ${places.length} hosts: one for all, or one for each`)
  }
  return places.map(({ host, port }, i) => ({
    host: host === '' ? DEFAULT_HOST : host,
    port: readPort(port || (ports.length > 1 ? ports[i]! : (ports[0] ?? ''))),
  }))
}

function splitPort(place: string): { host: string; port: string } {
  const [, v6, other, port = ''] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::([^:]*))?$/.exec(place) ?? []
  if (v6 === undefined && other === undefined) {
    throw new BadAddress(
      'has a host that is not HOST or HOST:PORT. An IPv6 address is written in brackets: [::1]:5432',
    )
  }
  return { host: decode(v6 ?? other!), port }
}

function readPort(text: string): number {
  if (text === '') return DEFAULT_PORT
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535)
    throw new BadAddress('has a port that is not from 1 to 65535')
  return port
}

// Among several only the primary will do: the service writes.
function readTarget(text: string | undefined, several: boolean): boolean {
  if (text === undefined) return several
  if (text === 'read-write' || text === 'primary') return true
  if (text === 'any' && !several) return false
  throw new BadAddress(
    `has target_session_attrs=${text.slice(0, 40)}: the service writes, so it has to be read-write`,
  )
}

// Words are separated by blanks; a backslash keeps a blank, or itself.
export function parseOptions(text: string): Record<string, string> {
  const words = [...text.matchAll(/(?:\\.|[^\s\\])+/gs)].map(([word]) => word.replace(/\\(.)/gs, '$1'))
  const settings: Record<string, string> = {}
  for (let i = 0; i < words.length; i++) {
    const word = words[i] === '-c' ? `-c${words[++i] ?? ''}` : words[i]!
    const [, name, value] = /^(?:-c|--)([A-Za-z_][\w.-]*)=(.*)$/s.exec(word) ?? []
    if (name === undefined) throw new BadAddress('has `options` that are not of the form -c NAME=VALUE')
    settings[name.replaceAll('-', '_').toLowerCase()] = value!
  }
  return settings
}

export function nameOfHost({ host, port }: Host): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

const LOCAL = /^(?:\/.*|localhost|127(?:\.\d+){3}|::1)$/

export function isLocal({ host }: Host): boolean {
  return LOCAL.test(host)
}

// A name without a dot, such as a container's on the network of one machine.
export function isShortName({ host }: Host): boolean {
  return !/[.:/]/.test(host)
}
