import type { FastifyRequest } from 'fastify'

const LANGUAGES = ['ko', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

// The language that was chosen on the page, if any. It travels in the address from page to page.
export function chosenLanguage(request: FastifyRequest): Language | undefined {
  // A request with an unreadable address has no query.
  const { lang } = (request.query ?? {}) as { lang?: unknown }
  return LANGUAGES.find((language) => language === lang)
}

// Otherwise the browser's favourite of the two; Korean if it names none.
export function languageOf(request: FastifyRequest): Language {
  const chosen = chosenLanguage(request)
  if (chosen) return chosen
  const wishes = (request.headers['accept-language'] ?? '').split(',').map(readWish)
  const best = wishes.toSorted((a, b) => b.weight - a.weight).find((wish) => wish.weight > 0 && wish.language)
  return best?.language ?? 'ko'
}

function readWish(text: string): { language: Language | undefined; weight: number } {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const language = LANGUAGES.find((name) => range === name || range.startsWith(`${name}-`))
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  // A weight that cannot be read counts as zero: the language is not wanted.
  return { language, weight: weight === undefined ? 1 : Number(weight) || 0 }
}
