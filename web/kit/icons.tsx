import type { ReactNode } from 'react'

// Inline SVG: no request, and the text's colour. Hidden from screen readers, because a word always stands beside them.
function icon(paths: ReactNode) {
  return function Icon({ className = 'size-6' }: { className?: string }) {
    return (
      <svg
        aria-hidden="true"
        className={`shrink-0 ${className}`}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        {paths}
      </svg>
    )
  }
}

export const KeyIcon = icon(
  <>
    <circle cx="8" cy="8" r="4" />
    <path d="M11 11l9 9M16.5 16.5l2-2" />
  </>,
)
export const BackIcon = icon(<path d="M15 5l-7 7 7 7" />)
export const NextIcon = icon(<path d="M9 5l7 7-7 7" />)
export const CloseIcon = icon(<path d="M6 6l12 12M18 6L6 18" />)
export const CheckIcon = icon(<path d="M5 12.5l4.5 4.5L19 7.5" />)
export const HomeIcon = icon(<path d="M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z" />)
export const CardIcon = icon(
  <>
    <rect x="3" y="6" width="18" height="13" rx="2.5" />
    <path d="M3 10.5h18M7 15h4" />
  </>,
)
export const ListIcon = icon(<path d="M5 6h14M5 12h14M5 18h9" />)
export const GearIcon = icon(
  <>
    <circle cx="12" cy="8" r="3.5" />
    <path d="M5 20a7 7 0 0 1 14 0" />
  </>,
)
