import { type ChangeEvent, type ClipboardEvent, useId, useLayoutEffect, useRef } from 'react'
import { borderOf } from '../../kit/field.tsx'
import { findPin, groupPin, readEdit } from './pin.ts'

interface Props {
  label: string
  hint: string
  error: string | undefined
  value: string
  onChange(pin: string): void
}

// One input that shows four groups. Four inputs would break pasting, deleting and screen readers. The caret stays behind
// its character while hyphens come and go.
export function PinInput({ label, hint, error, value, onChange }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const caret = useRef<number | null>(null)

  // Before the browser paints, or the caret would be seen jumping to the end.
  useLayoutEffect(() => {
    if (caret.current !== null) input.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })

  function take({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) {
    const { inputType } = nativeEvent as InputEvent
    const edit = readEdit(target.value, target.selectionStart ?? target.value.length, value, inputType)
    caret.current = edit.caret
    onChange(edit.pin)
  }

  function paste(event: ClipboardEvent) {
    // Text without a PIN is left to the browser, which pastes it as usual.
    const pin = findPin(event.clipboardData.getData('text'))
    if (pin === undefined) return
    event.preventDefault()
    caret.current = groupPin(pin).length
    onChange(pin)
  }

  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="text-[0.9375rem] font-medium text-body">
        {label}
      </label>
      <input
        ref={input}
        id={id}
        value={groupPin(value)}
        onChange={take}
        onPaste={paste}
        inputMode="text"
        // Phones then offer what came in the newest text message.
        autoComplete="one-time-code"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
        placeholder="XXXX-XXXX-XXXX-XXXX"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : `${id}-hint`}
        className={`min-h-16 w-full rounded-2xl border bg-surface px-3 text-center font-code text-[min(1.375rem,6vw)] font-semibold tracking-tight text-ink placeholder:font-normal placeholder:text-faint ${borderOf(error)}`}
      />
      {!error && (
        <p id={`${id}-hint`} className="text-sm text-sub">
          {hint}
        </p>
      )}
      {/* Always in the page, so that a screen reader hears the text when it appears. */}
      <p id={`${id}-error`} role="alert" className="text-sm text-up empty:sr-only">
        {error}
      </p>
    </div>
  )
}
