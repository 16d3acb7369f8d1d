// Secrets of one attempt. All of them are known to the browser that began it, and to no other.
export interface SignOnAttempt {
  state: string
  nonce: string
  // PKCE: a stolen code is worth nothing without it.
  verifier: string
}

// What the provider says about a person, checked: signature, issuer, audience, nonce and time.
export interface SignedOn {
  issuer: string
  subject: string
  email: string | undefined
  emailVerified: boolean
  // When the person last proved who they are to the provider; undefined if it does not say.
  authenticatedAt: Temporal.Instant | undefined
}

export interface SingleSignOn {
  // Where the browser goes. `again`: the person has to prove it even if the provider knows them.
  begin(attempt: SignOnAttempt, redirectUri: string, again: boolean): Promise<string>
  // Of the address that the browser came back to. Undefined if anything about it is wrong.
  finish(attempt: SignOnAttempt, address: URL): Promise<SignedOn | undefined>
}
