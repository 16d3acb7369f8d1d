import type { MessageLanguage } from '#modules/deliveries/messages/types.ts'

// What a member is told of. payout_account: a withdrawal to an account that nothing was paid to before.
export type NoticePurpose =
  | 'withdrawal'
  | 'payout_account'
  | 'password'
  | 'phone'
  | 'new_device'
  | 'stopped'
  | 'passkey_added'
  | 'passkey_removed'
  | 'passkey_blocked'

// What the text is made from: sealed as one value. Never a whole account number, a PIN or a password.
export interface NoticeValues {
  // Browser and system; empty if unknown, left out where none acted.
  device?: string
  // Won, in digits.
  amount?: string
  // The bank's name in the member's language, and the account but for its end masked.
  bank?: string
  account?: string
  // ISO 8601: not paid before this.
  waitsUntil?: string
  stopCode?: string
  // Masked.
  newNumber?: string
  // How many the act removed, in digits.
  passkeysRemoved?: string
}

export interface NoticeFacts {
  purpose: NoticePurpose
  language: MessageLanguage
  at: Temporal.Instant
  values: NoticeValues
  // The address of the pages, with a slash at its end.
  pagesUrl: string
  contact: string
}

// What a notice is made from, as it is stored.
export interface NoticeContent {
  key: string
  purpose: NoticePurpose
  language: MessageLanguage
  at: Temporal.Instant
  // Null once both were erased.
  recipient: Buffer | null
  content: Buffer | null
}
