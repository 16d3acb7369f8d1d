import { isTest, lineAt, readSource } from './source.ts'

// Colours have one home. A page names them by their words, so that the night and a new brand reach every page.
const HOME = 'src/edge/site/pages/colours.ts'
const GENERATED = new Set(['web/kit/colours.gen.css', 'web/public/icon.svg'])
// Not after & (an HTML entity) or in a longer word.
const RAW =
  /(?<![&\w])#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})(?![\w/-])|(?<![\w.-])(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(/gi

export function checkColours(path: string, text: string): string[] {
  if (!/^(?:src|web)\/.*\.(?:tsx?|css|svg|html)$/.test(path) || isTest(path)) return []
  if (path === HOME || GENERATED.has(path)) return []
  const isScript = /\.tsx?$/.test(path)
  const { code, comments } = isScript ? readSource(text) : { code: '', comments: '' }
  return [...text.matchAll(RAW)]
    .filter(({ index }) => !isScript || isQuoted(index))
    .map(
      ({ index, 0: raw }) =>
        `${path}:${lineAt(text, index)} ${raw}: colours stand in ${HOME} (see CONTRIBUTING.md, Style)`,
    )

  // In a script's code #abc is a private name, and color( a call; in a comment #123 is a number.
  function isQuoted(index: number): boolean {
    return code[index] !== text[index] && comments[index] !== text[index]
  }
}
