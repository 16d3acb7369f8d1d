import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '#base/text/html.ts'
import { formatMoment } from '#edge/site/pages/format.ts'

test('moments are Seoul moments', () => {
  const moment = Temporal.Instant.from('2026-12-31T15:05:59Z')
  assert.equal(formatMoment(moment, 'ko'), '2027년 1월 1일 0:05')
  assert.equal(formatMoment(moment, 'en'), '1 Jan 2027, 0:05')
})

test('what is put into a page is text, unless it is HTML of ours', () => {
  const inner = html`<b>${`<i a="b" c='d'>&`}</b>`
  assert.equal(
    html`<p title="${'"'}">${inner}${[inner]}</p>`.text,
    `<p title="&quot;">${inner.text}${inner.text}</p>`,
  )
  assert.equal(inner.text, '<b>&lt;i a=&quot;b&quot; c=&#39;d&#39;&gt;&amp;</b>')
})
