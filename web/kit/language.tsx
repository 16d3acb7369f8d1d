import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { type Language, won } from './format.ts'

export type { Language }

const LANGUAGES: readonly Language[] = ['ko', 'en']
export type Texts<T> = Record<Language, T>

const KEPT = 'ingot-language'
const QUERY = 'lang'

interface Choice {
  language: Language
  setLanguage(language: Language): void
}

const Chosen = createContext<Choice>({ language: 'ko', setLanguage: () => {} })

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, set] = useState(firstLanguage)
  const choice = useMemo(
    () => ({
      language,
      setLanguage(next: Language) {
        apply(next)
        set(next)
      },
    }),
    [language],
  )
  return <Chosen value={choice}>{children}</Chosen>
}

export const useLanguage = () => useContext(Chosen)

// Every file keeps its own texts in both languages, so that a missing one is a type error.
export function useTexts<T>(texts: Texts<T>): T {
  return texts[useLanguage().language]
}

// Formats won in the reader's language.
export function useWon(): (amount: number) => string {
  const { language } = useLanguage()
  return (amount) => won(amount, language)
}

// The address decides, then the last choice, then the language that the service chose from Accept-Language.
function firstLanguage(): Language {
  const asked = new URLSearchParams(window.location.search).get(QUERY)
  const found = [asked, recall(), document.documentElement.lang]
    .map((wish) => LANGUAGES.find((language) => language === wish))
    .find((language) => language !== undefined)
  const language = found ?? 'ko'
  if (asked) keep(language)
  // A screen reader chooses its voice by this.
  document.documentElement.lang = language
  return language
}

function apply(language: Language): void {
  document.documentElement.lang = language
  keep(language)
  // An old ?lang= would undo the choice on the next reload.
  const address = new URL(window.location.href)
  if (!address.searchParams.has(QUERY)) return
  address.searchParams.set(QUERY, language)
  window.history.replaceState(window.history.state, '', address)
}

// Inside a partner's frame a browser may forbid storage.
function recall(): string | null {
  try {
    return window.localStorage.getItem(KEPT)
  } catch {
    return null
  }
}

function keep(language: Language): void {
  try {
    window.localStorage.setItem(KEPT, language)
  } catch {}
}
