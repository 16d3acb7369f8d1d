// HTML that is safe by construction: every value in a template is escaped, unless it is `Html` itself.
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function html(parts: TemplateStringsArray, ...values: (string | Html | readonly Html[])[]): Html {
  return new Html(parts.reduce((text, part, i) => text + write(values[i - 1]!) + part))
}

function write(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!)
  return value instanceof Html ? value.text : value.map((one) => one.text).join('')
}
