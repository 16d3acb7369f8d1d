import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Environment } from '#app/settings/config.ts'
import type { Origin } from '#base/origin.ts'
import { originText } from '#modules/approvals/rules.ts'

// The one reader of what the machine knows about the person who runs a command. What cannot be read is unknown.
export interface OriginSources {
  read(path: string): string | undefined
  link(path: string): string | undefined
  uid(): number | undefined
  environment: Environment
}

const UNSET = 4_294_967_295 // what Linux has for nobody logged in

export function readOrigin({ read, link, uid, environment }: OriginSources): Origin {
  const loginUid = toUid(read('/proc/self/loginuid'))
  return {
    machine: hashed(read('/etc/machine-id')),
    boot: hashed(read('/proc/sys/kernel/random/boot_id')),
    userNamespace: link('/proc/self/ns/user') ?? null,
    uid: uid() ?? null,
    loginUid: loginUid === UNSET ? null : loginUid,
    sudoUid: toUid(environment.SUDO_UID),
    terminal: terminalOf(read, link),
  }
}

function toUid(text: string | undefined): number | null {
  return /^\d{1,10}$/.test(text?.trim() ?? '') ? Number(text) : null
}

// The id of a machine is not for telling around.
function hashed(text: string | undefined): string | null {
  const id = text?.trim()
  return id ? createHash('sha256').update(`ingot ${id}`).digest('hex').slice(0, 16) : null
}

// Of /proc/PID/stat, after the name in parentheses: session is the 4th field, the terminal the 5th, the beginning the 20th.
function terminalOf(read: OriginSources['read'], link: OriginSources['link']): string | null {
  const [, , , session, terminal] = fieldsOf(read('/proc/self/stat'))
  if (session === undefined || terminal === undefined || terminal === '0') return null
  const began = fieldsOf(read(`/proc/${session}/stat`))[19]
  const namespace = link('/proc/self/ns/pid')
  return began && namespace ? `${namespace} ${session} ${began}` : null
}

function fieldsOf(stat: string | undefined): string[] {
  return stat === undefined ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

const orUndefined =
  (read: (path: string) => string) =>
  (path: string): string | undefined => {
    try {
      return read(path)
    } catch {
      return undefined
    }
  }

export function thisMachine(environment: Environment): OriginSources {
  return {
    read: orUndefined((path) => readFileSync(path, 'utf8')),
    link: orUndefined((path) => readlinkSync(path)),
    uid: () => process.getuid?.(),
    environment,
  }
}

// Where a command was run, for its audit entries.
export function commandOrigin(origin: Origin): Record<string, string> {
  return { by: 'command line', host: hostname(), account: originText(origin) }
}
