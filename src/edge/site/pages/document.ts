import type { Language } from '#edge/http/language.ts'
import { Html, html } from './html.ts'

export const NOTHING = new Html('')
export const BRAND = html`<span class="brand">Ingot</span>`

// As the pages are coloured: see style.ts here and web/kit/style.css.
export const THEME = html`<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f2f4f6" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0f1216" media="(prefers-color-scheme: dark)">`

export interface Document {
  language: Language
  title: string
  // The whole sheet: its hash is in the policy that the page is sent with.
  style: string
  body: Html
}

export function documentOf({ language, title, style, body }: Document): Html {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
${THEME}
<title>${title} · Ingot</title>
<style>${new Html(style)}</style>
</head>
<body>
${body}
</body>
</html>
`
}

// The same page in the other language, with whatever else its address says.
export function otherLanguage(language: Language, query: Record<string, string> = {}): Html {
  const to = language === 'ko' ? 'en' : 'ko'
  const address = `?${new URLSearchParams({ ...query, lang: to })}`
  const name = to === 'en' ? 'English' : '한국어'
  return html`<a href="${address}" lang="${to}" hreflang="${to}">${name}</a>`
}
