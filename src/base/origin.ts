// What the machine knows about the person behind a command, beyond the account's name. All of it may be unknown.
// Maker and checker of a two-person act are compared: one person with two accounts is still one person.
export interface Origin {
  // Within these, numbers of accounts mean the same. The machine's id is hashed.
  machine: string | null
  boot: string | null
  userNamespace: string | null
  uid: number | null
  // The account that logged in, even after `su` or `sudo`. The kernel keeps it.
  loginUid: number | null
  // Who called sudo.
  sudoUid: number | null
  // The session of the terminal, with its beginning: a number alone is used again.
  terminal: string | null
}

type Same = 'login' | 'sudo' | 'account' | 'terminal'
export type Judgement =
  | { kind: 'same'; by: Same }
  // login: both logged in to one machine, as two people. account: only the names differ.
  | { kind: 'apart'; by: 'login' | 'account' }

// Each comparison can only find that both are one person. A fact that is unknown on either side decides nothing.
export function compareOrigins(maker: Origin | null, checker: Origin | null): Judgement {
  if (!maker || !checker || !isOneMachine(maker, checker)) return { kind: 'apart', by: 'account' }
  const { loginUid, sudoUid, uid, terminal } = checker
  if (loginUid !== null && loginUid === maker.loginUid) return { kind: 'same', by: 'login' }
  if (terminal !== null && terminal === maker.terminal) return { kind: 'same', by: 'terminal' }
  if (uid !== null && uid === maker.uid) return { kind: 'same', by: 'account' }
  const theirs = [maker.uid, maker.loginUid, maker.sudoUid].filter((one) => one !== null)
  if ([uid, loginUid, sudoUid].some((one) => one !== null && theirs.includes(one))) {
    return { kind: 'same', by: 'sudo' }
  }
  return { kind: 'apart', by: loginUid !== null && maker.loginUid !== null ? 'login' : 'account' }
}

function isOneMachine(a: Origin, b: Origin): boolean {
  const isSame = (one: string | null, other: string | null) => one !== null && one === other
  return (isSame(a.machine, b.machine) || isSame(a.boot, b.boot)) && isSame(a.userNamespace, b.userNamespace)
}

// For the audit log.
export function originText(origin: Origin | null | undefined): string {
  if (!origin) return 'nothing was seen but the name'
  const { uid, loginUid, sudoUid, terminal } = origin
  return [
    `uid ${uid ?? 'unknown'}`,
    loginUid === null ? 'no login' : `login ${loginUid}`,
    ...(sudoUid === null ? [] : [`sudo by ${sudoUid}`]),
    terminal === null ? 'no terminal' : 'at a terminal',
  ].join(', ')
}

// For an act that went through. If the machine cannot tell, the entry says so.
export function toldApartBy(maker: Origin | null, checker: Origin | null | undefined): string {
  return compareOrigins(maker, checker ?? null).by === 'login' ? 'log-in' : 'account name only'
}
