import type { MessageLanguage } from '#modules/deliveries/messages/types.ts'

// The acts that a member gets a notice of, and what a partner's contact is told. payout_account: a withdrawal to an account that was never paid to before.
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
  | 'credit_80'
  | 'credit_95'

// The values of the text, sealed as one value. Never a whole account number, a PIN or a password.
export interface NoticeValues {
  // Browser and system; empty if unknown, left out where none acted.
  device?: string
  // Won, in digits.
  amount?: string
  // The bank's name in the member's language, and the account with all but its end masked.
  bank?: string
  account?: string
  // ISO 8601: not paid before this.
  waitsUntil?: string
  stopCode?: string
  // Masked.
  newNumber?: string
  // How many the act removed, in digits.
  passkeysRemoved?: string
  // Of a partner: its code, and in won what it owes and may owe.
  partner?: string
  owed?: string
  limit?: string
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

// The stored parts of a notice.
export interface NoticeContent {
  key: string
  purpose: NoticePurpose
  language: MessageLanguage
  at: Temporal.Instant
  // Null once both were erased.
  recipient: Buffer | null
  content: Buffer | null
}
