import type { ReactNode } from 'react'
import { BigNumber } from './big-number.tsx'
import { CheckIcon } from './icons.tsx'
import { PageActions } from './layout.tsx'

// The end of a task. Its heading takes the focus, so that a screen reader says how it ended.
export function Result(props: { title: string; figure?: string; children?: ReactNode; actions: ReactNode }) {
  return (
    <div className="flex flex-1 flex-col md:flex-none">
      <div className="flex flex-1 flex-col items-center gap-2 pt-10 pb-6 text-center">
        <span className="mb-3 flex size-16 animate-[settle_0.3s_ease-out] items-center justify-center rounded-full bg-action text-on-action">
          <CheckIcon className="size-9" />
        </span>
        <h1 tabIndex={-1} ref={(heading) => heading?.focus()} className="text-xl font-bold">
          {props.title}
        </h1>
        {props.figure && <BigNumber>{props.figure}</BigNumber>}
        <div className="mt-4 w-full">{props.children}</div>
      </div>
      <PageActions>{props.actions}</PageActions>
    </div>
  )
}
