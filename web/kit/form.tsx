import type { ReactNode } from 'react'

interface FormProps {
  // For a button outside the form, as in a sheet's footer.
  id?: string
  // Takes the room that is left, so that the button stands at the bottom of the screen.
  fill?: boolean
  onSubmit(): void
  children: ReactNode
}

// The pages check values themselves and show every error at its field. A browser's own bubbles come one at a time, in the
// browser's language.
export function Form({ id, fill = false, onSubmit, children }: FormProps) {
  return (
    <form
      id={id}
      noValidate
      className={fill ? 'flex flex-1 flex-col gap-4' : 'flex flex-col gap-4'}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}
