import { useMutation } from '@tanstack/react-query'
import { Button } from '../../kit/button.tsx'
import { Disclosure } from '../../kit/disclosure.tsx'
import { date } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { LiveRegion, Note } from '../../kit/note.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { RefusalMessage } from '../shared/api/refusal-message.tsx'
import { useStepUp } from '../shared/identity/step-up.tsx'
import { TEXTS } from './texts.ts'

// Folded, below the confirmation: most people register the card now and need no later day.
export function ExtendCard(props: {
  extendsTo: string
  pin?: string | undefined
  onExtended(day: string): void
}) {
  const { pin } = props
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const withStepUp = useStepUp()
  const extend = useMutation({
    mutationFn: () =>
      withStepUp(() => callApi('POST /cards/extend', { body: pin === undefined ? {} : { pin } })),
    onSuccess: ({ expiresOn }) => props.onExtended(expiresOn),
  })
  return (
    <>
      <LiveRegion role="status">
        {extend.data && <Note look="tint">{texts.extended(date(extend.data.expiresOn, language))}</Note>}
      </LiveRegion>
      {!extend.data && (
        <Disclosure summary={texts.later}>
          <p className="mb-3 text-[0.9375rem] text-sub">
            {texts.extendable(date(props.extendsTo, language))}
          </p>
          <Button look="quiet" busy={extend.isPending} onClick={() => extend.mutate()}>
            {texts.extend}
          </Button>
        </Disclosure>
      )}
      <RefusalMessage refusal={extend.isError ? refusalOf(extend.error) : undefined} />
    </>
  )
}
