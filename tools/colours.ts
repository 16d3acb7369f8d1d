import { COLOURS } from '#edge/site/pages/colours.ts'

export const COLOUR_STYLE = new URL('../web/kit/colours.gen.css', import.meta.url)
export const ICON = new URL('../web/public/icon.svg', import.meta.url)

// Tailwind makes classes such as text-ink from these, and sends a page only the colours that it uses.
export function generateColourStyle(): string {
  const day = Object.entries(COLOURS).map(([name, [day]]) => `  --color-${name}: ${day};\n`)
  const night = Object.entries(COLOURS).flatMap(([name, [, night]]) =>
    night === undefined ? [] : [`    --color-${name}: ${night};\n`],
  )
  return `/* Generated from src/edge/site/pages/colours.ts: edit that, then run npm run generate. */
@theme {
  --color-*: initial;
${day.join('')}}

/* Paper is white at night too. */
@media screen and (prefers-color-scheme: dark) {
  :root {
${night.join('')}  }
}
`
}

// An image knows no custom properties: its colours are written into it.
export function generateIcon(): string {
  const { ink, brand, 'brand-light': light } = COLOURS
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Ingot</title><rect width="32" height="32" rx="8" fill="${ink[0]}"/><path d="M9.5 10h13L27 22H5z" fill="${brand[0]}"/><path d="M9.5 10h13l1 2.6h-15z" fill="${light[0]}"/></svg>
`
}
