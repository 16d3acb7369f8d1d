import { type Html, html } from '#base/text/html.ts'
import type { Language } from '#edge/http/language.ts'
import { NOTHING } from '#edge/site/pages/document.ts'
import type { OperatorPages } from './operator-pages.ts'
import { TEXTS } from './texts.ts'

// The foot of every page: links to the terms, and the operator. It is in both languages, because the reader may
// switch without loading another document; the style shows one.
// `open` if the page itself is about the operator.
export function imprint(operator: OperatorPages, root: string, { open = false } = {}): Html {
  const sections = (['ko', 'en'] as const).map((language) => section(operator, root, language, open))
  return html`<div id="imprint" class="imprint">${sections}</div>`
}

function section(
  { details, isSample }: OperatorPages,
  root: string,
  language: Language,
  open: boolean,
): Html {
  const texts = TEXTS[language]
  const links = (['terms', 'privacy', 'protection'] as const).map(
    (page) => html`<a href="${root}/${page}?lang=${language}">${texts[page]}</a>`,
  )
  return html`<div lang="${language}"><nav aria-label="${texts.nav}">${links}</nav>
<details${open ? html` open` : NOTHING}><summary>${texts.about(details[language].name)}</summary>${isSample ? html`<p>${texts.sample}</p>` : NOTHING}${operatorList(details[language], language)}</details></div>`
}

// Telephone numbers, dates and the like stay on one line.
export function unbroken(text: string): Html[] {
  return text
    .split(/(\+?\d+(?:-\d+)+)/)
    .map((part, i) => (i % 2 === 1 ? html`<span class="whole">${part}</span>` : html`${part}`))
}

export function operatorList(operator: OperatorPages['details'][Language], language: Language): Html {
  const lines = TEXTS[language].details(operator)
  return html`<dl>${lines.map(([name, value]) =>
    value === undefined ? NOTHING : html`<div><dt>${name}</dt> <dd>${unbroken(value)}</dd></div>`,
  )}</dl>`
}
