// What the machine knows about the person behind a command, beyond the account's name. All of it may be unknown.
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
  // Of the browser of a person in the console. The others are unknown then.
  address?: string
}
