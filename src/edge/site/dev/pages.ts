import { type Html, html } from '#base/text/html.ts'
import type { Language } from '#edge/http/language.ts'
import type { SiteDeps } from '#edge/site/deps.ts'
import { BRAND, documentOf, NOTHING, otherLanguage } from '#edge/site/pages/document.ts'
import { formatMoment } from '#edge/site/pages/format.ts'
import { INBOX_MOST, type InboxKind, type InboxMessage } from '#flows/deliveries/read-inbox.ts'
import { nationalMobile } from '#modules/gift-cards/phone.ts'
import { STYLE } from './style.ts'
import { TEXTS } from './texts.ts'

export interface Inbox {
  language: Language
  // Set if the reader chose it: then it stays chosen.
  chosen: Language | undefined
  // The filter as it was typed.
  to: string
  kind: InboxKind
  // Undefined if the typed text is not a number.
  messages: readonly InboxMessage[] | undefined
  publicUrl: string
  magicNumbers: SiteDeps['magicNumbers']
}

export function inboxPage(inbox: Inbox): Html {
  const { language, to, messages } = inbox
  const texts = TEXTS[language]
  const query = { ...(to === '' ? {} : { to }), ...(inbox.kind === 'card' ? {} : { kind: inbox.kind }) }
  const body = html`<div class="page wide">
<header class="top">${BRAND}<nav aria-label="${texts.languages}">${otherLanguage(language, query)}</nav></header>
<main>
<p class="note">${inbox.magicNumbers.length > 0 ? texts.sandbox : texts.really}</p>
<div class="head">
<div><h1>${texts.title}</h1>${count(texts, messages)}</div>
${search(inbox)}
</div>
${kinds(inbox)}
${messages && messages.length > 0 ? list(language, messages) : NOTHING}
${messages?.length === 0 ? empty(inbox) : NOTHING}
${inbox.magicNumbers.length > 0 ? numbers(inbox) : NOTHING}
</main>
</div>`
  return documentOf({ language, title: texts.title, style: STYLE, body })
}

type Texts = (typeof TEXTS)[Language]

// Cards' messages and notices apart, as in the JSON.
function kinds({ language, chosen, to, kind }: Inbox): Html {
  const texts = TEXTS[language]
  const links = (['card', 'notice'] as const).map((one) => {
    const query = new URLSearchParams({
      ...(one === 'card' ? {} : { kind: one }),
      ...(to === '' ? {} : { to }),
      ...(chosen ? { lang: chosen } : {}),
    })
    return html`<a href="?${query.toString()}"${one === kind ? html` aria-current="page"` : NOTHING}>${texts.kinds[one]}</a>`
  })
  return html`<nav class="kinds" aria-label="${texts.kinds.label}">${links}</nav>`
}

function count(texts: Texts, messages: Inbox['messages']): Html {
  if (!messages || messages.length === 0) return NOTHING
  return html`<p class="sub">${texts.newest(messages.length, INBOX_MOST)}</p>`
}

function search({ language, chosen, to, kind, messages }: Inbox): Html {
  const texts = TEXTS[language]
  const bad = messages ? NOTHING : html`<p class="bad" id="bad">${texts.badNumber}</p>`
  const described = messages ? NOTHING : html` aria-invalid="true" aria-describedby="bad"`
  const keep = chosen ? html`<input type="hidden" name="lang" value="${chosen}">` : NOTHING
  const keepKind = kind === 'card' ? NOTHING : html`<input type="hidden" name="kind" value="${kind}">`
  const address = `?${new URLSearchParams({ ...(kind === 'card' ? {} : { kind }), ...(chosen ? { lang: chosen } : {}) })}`
  const all = to === '' ? NOTHING : html`<a class="all" href="${address}">${texts.showAll}</a>`
  return html`<form class="search" role="search">${keep}${keepKind}
<label for="to">${texts.filter}</label>
<input id="to" name="to" type="tel" inputmode="tel" autocomplete="off" maxlength="24" placeholder="010-1234-5678" value="${to}"${described}>
<button class="button main">${texts.find}</button>${bad}${all}
</form>`
}

function list(language: Language, messages: readonly InboxMessage[]): Html {
  return html`<ol class="messages">
${messages.map((message) => html`<li>${bubble(language, message)}</li>\n`)}</ol>`
}

function bubble(language: Language, message: InboxMessage): Html {
  const { channel, status, sentAt, subject, reason } = message
  const texts = TEXTS[language]
  const band =
    channel === 'alimtalk'
      ? html`<p class="band">${status === 'failed' ? texts.notArrived : texts.arrived}</p>`
      : NOTHING
  const head = subject === null ? NOTHING : html`<strong class="subject">${subject}</strong>`
  return html`<article class="message ${channel}">
<div class="facts">
<h2>${texts[channel]}</h2><span class="badge ${status}">${texts.status[status]}</span>
<p class="sub sent"><span>${texts.to} ${hyphenated(message.to)}</span>
<time datetime="${sentAt.toString()}">${formatMoment(sentAt, language)}</time></p>
</div>
<div class="chat">
<span class="face"></span><p class="who">Ingot</p>
<div class="bubble">${band}<div class="said" lang="${message.language}">${head}${withLinks(message.body)}</div></div>
</div>
${reason === null ? NOTHING : html`<p class="why"><code>${reason}</code></p>`}
${message.giftId === null ? NOTHING : html`<p class="id">${texts.card} <code>${message.giftId}</code></p>`}
</article>`
}

// Addresses in a message can be followed, as on a phone.
function withLinks(text: string): Html[] {
  return text
    .split(/(https?:\/\/\S+)\n*/)
    .map((part, i) => (i % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`))
}

function hyphenated(e164: string): string {
  return nationalMobile(e164).replace(/^(\d{3})(\d+)(\d{4})$/, '$1-$2-$3')
}

function empty({ language, to, kind, publicUrl }: Inbox): Html {
  const texts = TEXTS[language]
  if (kind === 'notice') {
    return html`<section class="card empty">
<h2>${to === '' ? texts.empty : texts.emptyHere}</h2>
<p>${texts.nextNotice}</p>
</section>`
  }
  const number = to === '' ? '010-1234-5678' : to
  const command = `curl ${publicUrl}/v2/partner/metal/giftcard/buy \\
  -H 'Authorization: Bearer ik_test_…' \\
  -H 'Content-Type: application/json' \\
  -d '{"phoneNumber":"${number}","amount":50000}'`
  return html`<section class="card empty">
<h2>${to === '' ? texts.empty : texts.emptyHere}</h2>
<p>${texts.next}</p>
<pre class="command" lang="en">${command}</pre>
</section>`
}

// Each with a link to the messages that were sent to it.
function numbers({ language, chosen, magicNumbers }: Inbox): Html {
  const texts = TEXTS[language]
  const keep = chosen ? `&lang=${chosen}` : ''
  const rows = magicNumbers.map(
    ({ number, does }) =>
      html`<div><dt><a href="?to=${number}${keep}">${number}</a></dt><dd>${does[language]}</dd></div>\n`,
  )
  return html`<details class="card numbers"><summary>${texts.numbers}</summary>
<dl>${rows}</dl></details>`
}
