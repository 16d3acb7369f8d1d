import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react'
import { Loading } from '../../../kit/load-states.tsx'
import { SheetsPaused } from '../../../kit/sheets-paused.ts'
import { Refusal } from '../api/refusal.ts'
import { lazyPart } from '../lazy.tsx'
import { queryClient, SESSION } from '../session/session.ts'

const StepUpSheet = lazyPart(() => import('./step-up-sheet.tsx'), <Loading />)

type WithStepUp = <T>(call: () => Promise<T>) => Promise<T>

const StepUp = createContext<WithStepUp>((call) => call())

// Makes a call that may need a recent identity verification. If the service asks for one, the sheet opens, and the call is
// made again after it.
export const useStepUp = () => useContext(StepUp)

interface Waiting {
  resolve(): void
  reject(refusal: Refusal): void
}

// One sheet for all pages, because any call may need a verification.
export function StepUpProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const waiting = useRef<Waiting | undefined>(undefined)

  const withStepUp = useCallback(async <T,>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'step_up_required') throw error
    }
    await new Promise<void>((resolve, reject) => {
      waiting.current = { resolve, reject }
      setOpen(true)
    })
    // The same call once more: an order keeps its quote, and a withdrawal its id.
    return call()
  }, [])

  function finish(verified: boolean) {
    setOpen(false)
    const { current } = waiting
    waiting.current = undefined
    // Closing the sheet leaves the call refused as it was: the page says what is missing.
    if (!verified) return current?.reject(new Refusal('step_up_required'))
    // The session knows whether a verification is due.
    void queryClient.invalidateQueries({ queryKey: SESSION.queryKey })
    current?.resolve()
  }

  return (
    <StepUp value={withStepUp}>
      {/* A sheet of the page below leaves the focus to this one. */}
      <SheetsPaused value={open}>{children}</SheetsPaused>
      {open && <StepUpSheet onVerified={() => finish(true)} onClose={() => finish(false)} />}
    </StepUp>
  )
}
