// Every colour of Ingot, by day and by night. The service's own pages take them from here. From this file `npm run
// generate` makes web/kit/colours.gen.css and the icon for the pages of web/. No other file of src/ or web/ names a
// colour, and tools/tidy checks that.
//
// Text has a contrast of 4.5:1 at least against its ground. Red is up and blue is down, always with a sign beside it.
type Colour = readonly [day: string, night?: string]

// For all pages. Without a second value a colour is the same at night.
export const COLOURS = {
  surface: ['#fff', '#1a1f26'],
  raised: ['#fff', '#414b57'],
  'on-action': ['#fff'],
  ink: ['#191f28', '#f2f4f6'],
  body: ['#333d4b', '#d7dce2'],
  sub: ['#4e5968', '#aab4bf'],
  faint: ['#6b7684', '#8791a0'],
  line: ['#e5e8eb', '#323a44'],
  ground: ['#f2f4f6', '#0f1216'],
  quiet: ['#e8ebee', '#2b323b'],
  action: ['#0064ff'],
  'action-hover': ['#0055d9'],
  link: ['#0055d9', '#8ab6ff'],
  focus: ['#0064ff', '#6ea8ff'],
  tint: ['#dfeaff', '#1d2c47'],
  up: ['#d22030', '#ff8087'],
  down: ['#1b64da', '#85b4ff'],
  buy: ['#d22030'],
  sell: ['#1b64da'],
  gold: ['#8a6a00', '#e6be55'],
  'gold-dot': ['#d9a514'],
  'silver-dot': ['#a9b4c0'],
  silver: ['#4e5968', '#aab4bf'],
  warn: ['#fff6dd', '#33290f'],
  'warn-ink': ['#6b5200', '#f3dc98'],
  bad: ['#fff0f0', '#3b1d22'],
  brand: ['#c79a1b'],
  'brand-light': ['#efd27a'],
  backdrop: ['rgb(0 0 0 / 55%)'],
} as const satisfies Record<string, Colour>

// For the service's own pages alone: the inbox of the sandbox shows messages as a phone does.
const OWN_COLOURS = {
  good: ['#dff5e6', '#15351f'],
  'good-ink': ['#0b6b34', '#8fe0ae'],
  chat: ['#b2c7da', '#22303d'],
  kakao: ['#fee500'],
  'kakao-ink': ['#191919'],
  // A command line is dark by day too.
  code: ['#191f28'],
  'code-ink': ['#f2f4f6'],
} as const satisfies Record<string, Colour>

const ALL: Record<string, Colour> = { ...COLOURS, ...OWN_COLOURS }
export type ColourName = keyof typeof COLOURS | keyof typeof OWN_COLOURS

// The custom properties that a sheet uses, and no others: these sheets stand inside each page. Paper is white at night too.
export function colourStyle(names: readonly ColourName[]): string {
  const day = names.map((name) => `--${name}:${ALL[name]![0]}`)
  const night = names.flatMap((name) => (ALL[name]![1] ? [`--${name}:${ALL[name]![1]}`] : []))
  return `:root{color-scheme:light;${day.join(';')}}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;${night.join(';')}}}`
}
