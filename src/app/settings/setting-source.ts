// How the settings of any provider are read.

export interface SettingSource {
  // The value of a setting; undefined if it is not set.
  get(name: string): string | undefined
  // Records the mistake and continues, so that the operator learns of all of them at once. The value that was made
  // from it is never used.
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

// One of several providers, simulated in a sandbox unless another is named. In live `serve` requires a name. Until
// then it is undefined: a command may run without it.
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
