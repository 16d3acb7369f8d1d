// Runs in the browser before the reference does. The reference gives the page's nonce to its main sheet only. Its editor and
// its notices add sheets without one. Its code samples have style attributes, which no nonce covers. Here the sheets get
// the nonce, and the attributes are set by script, which the policy allows.
export const STYLES_SCRIPT = `(() => {
  const { nonce } = document.currentScript
  const create = Document.prototype.createElement
  Document.prototype.createElement = function (name, ...options) {
    const element = create.call(this, name, ...options)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }
  const setAttribute = Element.prototype.setAttribute
  Element.prototype.setAttribute = function (name, value) {
    if (name === 'style') this.style.cssText = value
    else setAttribute.call(this, name, value)
  }
  const inner = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML')
  Object.defineProperty(Element.prototype, 'innerHTML', {
    ...inner,
    set(html) {
      inner.set.call(this, String(html).replace(/(<code\\b[^>]*?) style="/g, '$1 data-style="'))
      for (const element of this.querySelectorAll('code[data-style]')) {
        element.style.cssText = element.dataset.style
        element.removeAttribute('data-style')
      }
    },
  })
})()
`
