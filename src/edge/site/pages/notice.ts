import { type Html, html } from '#base/text/html.ts'
import type { Language } from '#edge/http/language.ts'
import { BRAND, documentOf, NOTHING } from './document.ts'

export interface Notice {
  title: string
  body: string
  // Set if trying again may help.
  retry?: string
  // Set if there is a page to go to instead.
  home?: string
  // Another address, opened in its own window, because no app's frame may show it.
  link?: { href: string; text: string }
}

interface Around {
  contact?: string | undefined
  // The target of `home`.
  to?: string
  // The operator.
  foot?: Html
}

// In both languages, because the reader may be unknown to us. The reader's own comes first.
export function noticePage(
  notice: Record<Language, Notice>,
  language: Language,
  style: string,
  { contact, to = '', foot }: Around = {},
): Html {
  const other = language === 'ko' ? 'en' : 'ko'
  const { title } = notice[language]
  const body = html`<div class="page">
<header class="top">${BRAND}</header>
<main class="notice">
<div class="card">
<h1>${title}</h1>${rest(notice[language], 'button main', to)}${contactLine(contact, language)}
<section class="other" lang="${other}"><h2>${notice[other].title}</h2>${rest(notice[other], 'button', to)}</section>
</div>
</main>
${foot ? html`<footer>${foot}</footer>` : NOTHING}
</div>`
  return documentOf({ language, title, style, body })
}

function contactLine(contact: string | undefined, language: Language): Html {
  return contact ? html`<p>${language === 'ko' ? '문의' : 'Contact'}: ${contact}</p>` : NOTHING
}

function rest(notice: Notice, look: string, to: string): Html {
  const label = notice.retry ?? notice.home
  const href = notice.retry === undefined ? to : ''
  const button = label ? html`<a class="${look}" href="${href}">${label}</a>` : NOTHING
  const { link } = notice
  const onward = link
    ? html`<a class="${look}" href="${link.href}" target="_blank" rel="noopener noreferrer">${link.text}</a>`
    : NOTHING
  return html`<p>${notice.body}</p>${button}${onward}`
}
