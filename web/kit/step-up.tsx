import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react'
import { Refusal } from './api.ts'
import { lazyPart } from './lazy-part.tsx'
import { Loading } from './parts.tsx'
import { queries, SESSION } from './session.tsx'

const StepUpSheet = lazyPart(() => import('./step-up-sheet.tsx'), <Loading />)

type Act = <T>(work: () => Promise<T>) => Promise<T>

const StepUp = createContext<Act>((work) => work())
const Asking = createContext(false)

// Does something that may need a verified person: asks for that when the service does, and then does it again.
export const useAct = () => useContext(StepUp)
// Whether that is being asked right now: another sheet makes way meanwhile.
export const useIsAsking = () => useContext(Asking)

interface Waiting {
  resolve(): void
  reject(refusal: Refusal): void
}

export function StepUpProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const waiting = useRef<Waiting | undefined>(undefined)

  const act = useCallback(async <T,>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'step_up_required') throw error
    }
    await new Promise<void>((resolve, reject) => {
      waiting.current = { resolve, reject }
      setOpen(true)
    })
    return work()
  }, [])

  function finish(verified: boolean) {
    setOpen(false)
    const { current } = waiting
    waiting.current = undefined
    if (!verified) return current?.reject(new Refusal('step_up_required'))
    void queries.invalidateQueries({ queryKey: SESSION.queryKey })
    current?.resolve()
  }

  return (
    <StepUp value={act}>
      <Asking value={open}>{children}</Asking>
      {open && <StepUpSheet onVerified={() => finish(true)} onClose={() => finish(false)} />}
    </StepUp>
  )
}
