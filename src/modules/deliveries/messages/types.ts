export const MESSAGE_PURPOSES = ['gift', 'reminder', 'cancellation'] as const
export type MessagePurpose = (typeof MESSAGE_PURPOSES)[number]

export const MESSAGE_LANGUAGES = ['ko', 'en'] as const
export type MessageLanguage = (typeof MESSAGE_LANGUAGES)[number]

// The figures of the refund rule that a message quotes.
export interface MessagePolicy {
  cancelDays: number
  refundYears: number
  // Won: up to here the small percentage, above it the large one.
  smallUpTo: bigint
  smallPercent: number
  largePercent: number
  pointsPercent: number
}

export interface MessageFacts {
  purpose: MessagePurpose
  language: MessageLanguage
  // The version of the text.
  version: number
  senderName: string
  // 16 characters as stored; null once erased.
  pin: string | null
  amount: bigint
  // YYYY-MM-DD
  issuedOn: string
  expiresOn: string
  registerUrl: string
  // The same with the card in it.
  linkUrl: string
  contact: string
  policy: MessagePolicy
}

export interface AlimtalkMessage {
  text: string
  // By name, as in the template between `#{` and `}`.
  variables: Record<string, string>
}

export interface TextMessage {
  subject: string
  text: string
}
