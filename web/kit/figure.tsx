import type { CSSProperties } from 'react'

const NARROW = /[.,·\s]/
const BROAD = /[^\x20-\x7e·]/

// How wide a figure is, in its own font size and rather too wide than too narrow: fonts differ, and it must fit.
function widthInEms(text: string): number {
  return [...text].reduce((sum, sign) => sum + (NARROW.test(sign) ? 0.32 : BROAD.test(sign) ? 1 : 0.62), 0)
}

// For whatever is a .figure-total in a .figure-box: see style.css.
export function fitted(text: string): CSSProperties {
  return { '--ems': Math.max(1, widthInEms(text)).toFixed(2) } as CSSProperties
}

// The largest thing on its page. It is never broken over two lines: one that is long is set smaller.
export function Figure({ children: text, className = '' }: { children: string; className?: string }) {
  return (
    <p className={`figure-box ${className}`}>
      <span className="figure-total" style={fitted(text)}>
        {text}
      </span>
    </p>
  )
}
