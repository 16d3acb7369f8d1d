// The company that runs the service, as the law wants it named on every page.
export interface Operator {
  name: string
  representative: string
  businessNumber: string
  mailOrderNumber: string
  // For an operator with a registration for electronic finance or prepaid means.
  financeNumber: string | undefined
  address: string
  phone: string
  email: string
  privacyOfficer: string
  host: string
  // Who holds the metal.
  custodian: string
  // How points and deposits are protected.
  protection: string
}

export type Languages<T> = Record<'ko' | 'en', T>

export const LEGAL_KINDS = ['terms', 'privacy'] as const
export type LegalKind = (typeof LEGAL_KINDS)[number]

export interface LegalVersion {
  // The day it takes effect, which is also its name: 2026-11-16.
  version: string
  texts: { ko: string; en: string | undefined }
}

// Every version of each kind, oldest first.
export type LegalTexts = Record<LegalKind, readonly LegalVersion[]>

// The versions that a member agreed to at the sign-up.
export type AgreedVersions = Record<LegalKind, string>
