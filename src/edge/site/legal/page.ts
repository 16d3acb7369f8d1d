import { type Html, html } from '#base/text/html.ts'
import type { Language } from '#edge/http/language.ts'
import { BRAND, documentOf, NOTHING, otherLanguage } from '#edge/site/pages/document.ts'
import { formatDay } from '#edge/site/pages/format.ts'
import { type Block, blocksOf, fill } from '#modules/operator/rules.ts'
import type { LegalKind, LegalVersion } from '#modules/operator/types.ts'
import { imprint, operatorList, unbroken } from './imprint.ts'
import type { OperatorPages } from './operator-pages.ts'
import { STYLE } from './style.ts'
import { TEXTS } from './texts.ts'

interface Place {
  operator: OperatorPages
  language: Language
  // The path where our pages begin: behind a proxy, or in a web view.
  root: string
}

interface Legal extends Place {
  kind: LegalKind
  shown: LegalVersion
  inForce: LegalVersion
}

// Former versions stay readable: members' consents name them (decisions/0050).
export function legalPage({ kind, shown, inForce, ...place }: Legal): Html {
  const { operator, language, root } = place
  const texts = TEXTS[language]
  const [title, ...rest] = blocksOf(fill(shown.texts[language] ?? shown.texts.ko, operator.details[language]))
  const name = title && 'text' in title ? title.text : texts[kind]
  const isCurrent = shown === inForce
  const state = isCurrent ? texts.current : shown.version < inForce.version ? texts.former : texts.coming
  const toCurrent = isCurrent
    ? NOTHING
    : html`<p><a href="${root}/${kind}?lang=${language}">${texts.toCurrent}</a></p>`
  // A text that exists only in Korean is shown in Korean, with a remark.
  const lang = shown.texts[language] === undefined ? 'ko' : language
  const versions = operator.texts[kind]
    .toReversed()
    .map(
      ({ version }) =>
        html`<li><a href="${root}/${kind}/${version}?lang=${language}"${version === shown.version ? html` aria-current="page"` : NOTHING}>${formatDay(version, language)}</a></li>`,
    )
  return pageOf(
    place,
    name,
    html`<article class="card text" lang="${lang}"><h1>${name}</h1>
<p class="sub">${`${texts.from(formatDay(shown.version, language))} · ${state}`}</p>${toCurrent}
${rest.map(write)}</article>
<nav class="card" aria-label="${texts.versions}"><h2>${texts.versions}</h2><ul class="versions">${versions}</ul></nav>`,
  )
}

export function protectionPage(place: Place): Html {
  const { operator, language } = place
  const texts = TEXTS[language]
  const details = operator.details[language]
  return pageOf(
    place,
    texts.protection,
    html`<article class="card text"><h1>${texts.protection}</h1>${operator.isSample ? html`<p class="note">${texts.sample}</p>` : NOTHING}
<h2>${texts.holder}</h2><p>${texts.held(details.custodian)}</p>
<h2>${texts.balances}</h2><p>${details.protection}</p><p>${texts.noDeposit}</p>
<h2>${texts.own}</h2><p>${texts.ownBody}</p>
<h2>${texts.ask}</h2>${operatorList(details, language)}</article>`,
  )
}

function pageOf({ operator, language, root }: Place, title: string, main: Html): Html {
  const texts = TEXTS[language]
  // The link to the assets: in a web view the first page shows them already.
  const body = html`<div class="page">
<header class="top"><a href="${root === '' ? '/' : root}">${BRAND}</a><nav aria-label="${texts.menu}"><a href="${root.endsWith('/webview') ? root : `${root}/assets`}">${texts.assets}</a>${otherLanguage(language)}</nav></header>
<main>${main}</main>
<footer>${imprint(operator, root, { open: true })}</footer>
</div>`
  return documentOf({ language, title, style: STYLE, body })
}

// A text is never HTML. The template escapes all of it (decisions/0050).
function write(block: Block): Html {
  if (block.kind === 'list')
    return html`<ul>${block.items.map((item) => html`<li>${unbroken(item)}</li>`)}</ul>`
  if (block.kind === 'paragraph') return html`<p>${unbroken(block.text)}</p>`
  return html`<h2>${block.text}</h2>`
}
