import type { CSSProperties } from 'react'

const NARROW = /[.,·\s]/
const BROAD = /[^\x20-\x7e·]/

// The width of a number in its own font size. Rounded up, because fonts differ and it must fit.
function widthInEms(text: string): number {
  return [...text].reduce((sum, sign) => sum + (NARROW.test(sign) ? 0.32 : BROAD.test(sign) ? 1 : 0.62), 0)
}

// The style of a .big-number inside a .big-number-box: style.css makes it smaller until it fits.
export function fitToBox(text: string): CSSProperties {
  return { '--ems': Math.max(1, widthInEms(text)).toFixed(2) } as CSSProperties
}

// The most important number of a page. A long one gets a smaller font instead of a second line.
export function BigNumber({ children: text, className = '' }: { children: string; className?: string }) {
  return (
    <p className={`big-number-box ${className}`}>
      <span className="big-number" style={fitToBox(text)}>
        {text}
      </span>
    </p>
  )
}
