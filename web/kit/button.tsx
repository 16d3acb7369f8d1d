import type { ComponentProps, ReactNode } from 'react'

export type Look = 'main' | 'quiet' | 'buy' | 'sell' | 'plain'

const LOOKS: Record<Look, string> = {
  main: 'bg-action text-on-action hover:bg-action-hover',
  quiet: 'bg-quiet text-body hover:bg-line',
  buy: 'bg-buy text-on-action hover:brightness-90',
  sell: 'bg-sell text-on-action hover:brightness-90',
  plain: 'bg-surface text-body border border-line hover:bg-ground',
}

// Large: for a thumb, as wide as its place. Small: one of several in a row, for a pointer.
export type Size = 'large' | 'small'

const SIZES: Record<Size, string> = {
  large: 'w-full min-h-14 rounded-2xl px-4 py-3',
  small: 'min-h-10 rounded-xl px-3.5 py-1.5 text-[0.9375rem]',
}

// A link that looks like a button takes the same classes.
export function buttonClass(look: Look = 'main', more = '', size: Size = 'large'): string {
  return `flex items-center justify-center text-center font-semibold no-underline transition-colors ${SIZES[size]} ${LOOKS[look]} ${more}`
}

interface Props extends ComponentProps<'button'> {
  look?: Look
  size?: Size
  // Under way. Not `disabled`: a disabled button would lose the focus.
  busy?: boolean
}

export function Button({
  look = 'main',
  size = 'large',
  busy = false,
  className = '',
  onClick,
  children,
  ...rest
}: Props) {
  const blocked = busy || rest['aria-disabled'] === true
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={blocked || undefined}
      aria-busy={busy || undefined}
      onClick={blocked ? (event) => event.preventDefault() : onClick}
      className={buttonClass(
        look,
        `disabled:bg-tint disabled:text-sub disabled:cursor-default ${className}`,
        size,
      )}
    >
      {busy ? <Busy>{children}</Busy> : children}
    </button>
  )
}

function Busy({ children }: { children: ReactNode }) {
  return (
    <>
      <span
        aria-hidden="true"
        className="me-2 size-4 shrink-0 animate-spin rounded-full border-2 border-current border-t-transparent"
      />
      {children}
    </>
  )
}

// A small button in a row of them: an amount to add, a filter, a period.
export function Chip({ pressed, children, ...rest }: ComponentProps<'button'> & { pressed?: boolean }) {
  const look = pressed ? 'bg-ink text-surface' : 'bg-quiet text-body hover:bg-line'
  return (
    <button
      type="button"
      {...rest}
      aria-pressed={pressed}
      className={`min-h-12 min-w-12 rounded-xl px-3.5 whitespace-nowrap text-[0.9375rem] font-medium ${look}`}
    >
      {children}
    </button>
  )
}
