// How the settings of a provider are read, whoever it is.

export interface SettingSource {
  // The value of a setting; undefined when there is none.
  get(name: string): string | undefined
  // Remembers it, and goes on: whoever sets things up is told of everything at once. What is made of it is never used.
  refuse(name: string, why: string): ''
}

export type Mode = 'sandbox' | 'live'

// `by`: the setting that chose what needs this one.
export function required(
  { get, refuse }: SettingSource,
  by: string,
  name: string,
  shape = /^\S{1,200}$/,
  rule = 'is not one word',
): string {
  const value = get(name)
  if (value === undefined) return refuse(name, `is required by ${by}`)
  return shape.test(value) ? value : refuse(name, rule)
}

// Plain http only to this machine, where a stand-in may be: what is sent is secret, and what comes back has to be true.
export function readUrl({ get, refuse }: SettingSource, name: string, usual: string): string {
  const text = get(name) ?? usual
  const url = URL.parse(text)
  const local = url?.protocol === 'http:' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (!url || !(url.protocol === 'https:' || local))
    return refuse(name, 'is not an https address (plain http only to this machine)')
  return url.href.replace(/\/+$/, '')
}

// One of several, simulated in a sandbox unless another is named. In live mode it has to be named by whoever serves, and is
// undefined until then: a command may run without it.
export function readChoice<Name extends string>(
  { get, refuse }: SettingSource,
  name: string,
  choices: readonly (Name | 'simulated')[],
  mode: Mode,
  whyNotSimulated: string,
): Name | 'simulated' | undefined {
  const text = get(name) ?? (mode === 'sandbox' ? 'simulated' : undefined)
  if (text === undefined) return undefined
  const choice = choices.find((one) => one === text)
  if (choice === undefined) refuse(name, `is not one of ${choices.join(', ')}`)
  if (mode === 'live' && choice === 'simulated') refuse(name, `is simulated: ${whyNotSimulated}`)
  return choice
}
