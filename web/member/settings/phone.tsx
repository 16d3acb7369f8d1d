import { lazy, Suspense, useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { useTexts } from '../../kit/language.tsx'
import { LiveRegion, Note } from '../../kit/note.tsx'
import { queryClient } from '../shared/session/session.ts'
import { TEXTS } from './texts.ts'

const StepUpSheet = lazy(() => import('../shared/identity/step-up-sheet.tsx'))

// Notices go to the number that the carrier confirmed last: verifying with a new phone changes it.
export function PhoneChange({ mdn }: { mdn: string }) {
  const texts = useTexts(TEXTS)
  const [asks, setAsks] = useState(false)
  const [verified, setVerified] = useState(false)
  return (
    <div className="my-3 flex flex-col gap-3">
      <LiveRegion role="status">{verified && <Note look="tint">{texts.phoneVerified(mdn)}</Note>}</LiveRegion>
      <Button look="quiet" onClick={() => setAsks(true)}>
        {texts.phone}
      </Button>
      {asks && (
        <Suspense>
          <StepUpSheet
            title={texts.phone}
            body={texts.phoneBody}
            onClose={() => setAsks(false)}
            onVerified={async () => {
              setAsks(false)
              // The new number is loaded first, so that the message names it.
              await queryClient.invalidateQueries()
              setVerified(true)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}
