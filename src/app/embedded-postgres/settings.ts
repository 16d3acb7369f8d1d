import { randomBytes } from 'node:crypto'
import { readMachine, settingsFor } from './machine-settings.ts'

/** Another at each start, and so another in a copy: every new connection asks for it. */
export const START_ID = 'ingot.start_id'

// Given on the command line at every start. So an upgrade of this program takes effect on an old data folder, and no file
// in the folder can switch durability off.
const SETTINGS = {
  // Nothing acknowledged is lost in a kill or a power failure.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',

  // The only way in is a socket in a folder of mode 700, and then a password.
  listen_addresses: '',
  unix_socket_permissions: '0700',
  password_encryption: 'scram-sha-256',

  max_connections: '200', // several processes with their workers, and commands beside them
  // By time rather than by volume: after a checkpoint, each page's first change is logged in full.
  checkpoint_timeout: '15min',
  jit: 'off', // compiling costs more than it saves on short queries

  // Statement text, parameters and details can hold people's data: none of them reaches the log. Nor do errors, whose
  // message quotes the value that was refused; the service logs their code.
  log_min_messages: 'log', // above error, below fatal
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_parameter_max_length: '0',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_parameter_max_length_on_error: '0',
  log_line_prefix: '%m [%p] ',
  logging_collector: 'off', // standard error is a file already

  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  cluster_name: 'ingot',
} as const

export function serverArguments(
  cluster: string,
  socketDir: string,
  port: number,
  extra: Readonly<Record<string, string>> = {},
  machine = readMachine(cluster),
): string[] {
  const settings = {
    ...SETTINGS,
    ...settingsFor(machine),
    unix_socket_directories: quoted(socketDir),
    port: String(port),
    [START_ID]: randomBytes(16).toString('hex'),
    ...extra,
  }
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

// The setting is a comma-separated list, in which double quotes hold a name together.
function quoted(path: string): string {
  return `"${path.replaceAll('"', '""')}"`
}
