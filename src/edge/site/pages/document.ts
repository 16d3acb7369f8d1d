import { Html, html } from '#base/text/html.ts'
import type { Language } from '#edge/http/language.ts'
import { COLOURS } from './colours.ts'

export const NOTHING = new Html('')
export const BRAND = html`<span class="brand">Ingot</span>`

const [DAY, NIGHT] = COLOURS.ground

// Browsers colour their own bars like the page.
export const THEME = html`<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${DAY}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${NIGHT}" media="(prefers-color-scheme: dark)">`

export interface Document {
  language: Language
  title: string
  // The whole style sheet. The policy of the page has its hash.
  style: string
  body: Html
}

export function documentOf({ language, title, style, body }: Document): Html {
  // The style is not escaped, because the page's policy has the hash of its exact text.
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
${THEME}
<title>${`${title} · Ingot`}</title>
<style>${new Html(style)}</style>
</head>
<body>
${body}
</body>
</html>
`
}

// The same page in the other language, with the rest of its address.
export function otherLanguage(language: Language, query: Record<string, string> = {}): Html {
  const to = language === 'ko' ? 'en' : 'ko'
  const address = `?${new URLSearchParams({ ...query, lang: to })}`
  const name = to === 'en' ? 'English' : '한국어'
  return html`<a href="${address}" lang="${to}" hreflang="${to}">${name}</a>`
}
