import { type ComponentProps, type ReactNode, useId } from 'react'
import { NextIcon } from './icons.tsx'

interface Shared {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
}

// At least 48 px high, so that a finger finds it. 16 px of text or more: a phone would zoom into smaller ones.
const INPUT =
  'w-full min-h-14 rounded-2xl border bg-surface px-4 text-[1.0625rem] text-ink placeholder:text-faint'
export const borderOf = (error: unknown) => (error ? 'border-up' : 'border-line hover:border-faint')

// Label, hint and error of a field. The error's element is always there: a screen reader announces what changes in it.
function Labelled({ label, hint, error, id, children }: Shared & { id: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-[0.9375rem] font-medium text-body">
        {label}
      </label>
      {children}
      {hint && !error && (
        <div id={`${id}-hint`} className="text-sm text-sub">
          {hint}
        </div>
      )}
      <div id={`${id}-error`} role="alert" className="text-sm text-up empty:sr-only">
        {error}
      </div>
    </div>
  )
}

// Names only elements that are in the page: the hint gives way to the error.
const described = (id: string, { hint, error }: Pick<Shared, 'hint' | 'error'>, more?: string) => ({
  id,
  'aria-invalid': error ? true : undefined,
  'aria-describedby':
    [error ? `${id}-error` : hint ? `${id}-hint` : '', more].filter(Boolean).join(' ') || undefined,
})

export function Field({ label, hint, error, className = '', ...rest }: Shared & ComponentProps<'input'>) {
  const id = useId()
  return (
    <Labelled {...{ label, hint, error, id }}>
      <input
        {...rest}
        {...described(id, { hint, error }, rest['aria-describedby'])}
        className={`${INPUT} ${borderOf(error)} ${className}`}
      />
    </Labelled>
  )
}

// The browser's own list opens: on a phone it is easier to use than any of ours.
export function SelectField({ label, hint, error, children, ...rest }: Shared & ComponentProps<'select'>) {
  const id = useId()
  return (
    <Labelled {...{ label, hint, error, id }}>
      <div className="relative">
        <select
          {...rest}
          {...described(id, { hint, error })}
          className={`${INPUT} appearance-none truncate pe-11 ${borderOf(error)}`}
        >
          {children}
        </select>
        <NextIcon className="pointer-events-none absolute inset-y-0 end-4 my-auto size-5 rotate-90 text-sub" />
      </div>
    </Labelled>
  )
}

export function Checkbox({ label, ...rest }: { label: ReactNode } & ComponentProps<'input'>) {
  return (
    <label className="flex min-h-12 cursor-pointer items-center gap-3 py-1.5">
      <input type="checkbox" {...rest} className="size-6 shrink-0 accent-action" />
      <span className="min-w-0">{label}</span>
    </label>
  )
}

interface Option<T extends string> {
  value: T
  label: ReactNode
}

// A choice among few, all visible. Real radio buttons, so that arrow keys and screen readers work as usual.
export function Segments<T extends string>(props: {
  legend: string
  // Undefined while nothing is chosen.
  value: T | undefined
  options: readonly Option<T>[]
  error?: string | undefined
  onChange(value: T): void
  // For a group whose surroundings name it already.
  hideLegend?: boolean
}) {
  const name = useId()
  return (
    <fieldset
      className="flex min-w-0 flex-col gap-1.5"
      aria-describedby={props.error ? `${name}-error` : undefined}
    >
      <legend className={props.hideLegend ? 'sr-only' : 'mb-1.5 text-[0.9375rem] font-medium text-body'}>
        {props.legend}
      </legend>
      <div className={`flex flex-wrap rounded-2xl bg-quiet p-1 ${props.error ? 'ring-1 ring-up' : ''}`}>
        {props.options.map(({ value, label }) => (
          <label
            key={value}
            className="flex min-h-12 flex-[1_0_auto] cursor-pointer items-center justify-center rounded-xl px-2 text-center font-medium text-sub has-checked:bg-raised has-checked:font-semibold has-checked:text-ink has-checked:shadow-sm has-focus-visible:outline-3 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              className="sr-only"
              name={name}
              value={value}
              checked={props.value === value}
              aria-invalid={props.error ? true : undefined}
              onChange={() => props.onChange(value)}
            />
            {label}
          </label>
        ))}
      </div>
      <div id={`${name}-error`} role="alert" className="text-sm text-up empty:sr-only">
        {props.error}
      </div>
    </fieldset>
  )
}
