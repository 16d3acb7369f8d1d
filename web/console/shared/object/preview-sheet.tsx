import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLanguage } from '../../../kit/language.tsx'
import { Loading } from '../../../kit/load-states.tsx'
import { Note } from '../../../kit/note.tsx'
import { ActSheet } from '../act-sheet.tsx'
import { LoadError } from '../api/refusal-message.tsx'
import { REFUSAL_REASONS } from '../api/refusal-reasons.ts'

export interface SheetProps {
  open: boolean
  onClose(): void
  onDone(): void
}

interface Preview {
  possible: boolean
  refusal: string | null
}

interface Props<Shown extends Preview> extends SheetProps {
  title: string
  act: string
  look?: 'main' | 'sell'
  queryKey: readonly string[]
  load(): Promise<Shown>
  // What will happen, in plain words.
  tell(preview: Shown): ReactNode
  // The question of a second step, for what cannot be undone.
  sure?: string
  run(reason: string): Promise<{ waiting?: boolean; requestId?: string | null } | null>
}

// An act of which the service says beforehand what it would do, or why it cannot be done.
export function PreviewSheet<Shown extends Preview>(props: Props<Shown>) {
  const { open, onClose, onDone, title, act, look = 'main', queryKey, load, tell, sure, run } = props
  const { language } = useLanguage()
  // What an act would do changes with the object, so every opening asks again.
  const { data, error, refetch } = useQuery({ queryKey, queryFn: load, enabled: open, staleTime: 0 })
  const told = data?.possible ? tell(data) : undefined
  // The refusal is a stable code of the service. A code without words is shown as it is.
  const explain = error ? (
    <LoadError error={error} onRetry={refetch} />
  ) : data ? (
    (told ?? <Note look="bad">{REFUSAL_REASONS[language][data.refusal ?? ''] ?? data.refusal}</Note>)
  ) : (
    <Loading lines={3} />
  )
  // The second step repeats what will happen, beside the last button.
  const confirm = sure && (
    <div className="flex flex-col gap-2">
      <p className="font-semibold">{sure}</p>
      {told}
    </div>
  )
  return (
    <ActSheet
      {...{ open, onClose, onDone, title, act, look, explain, run }}
      impossible={error !== null || data?.possible === false}
      // Nobody may confirm an act before the page has said what it does.
      check={() => data?.possible ?? false}
      {...(confirm ? { confirm } : {})}
    />
  )
}
