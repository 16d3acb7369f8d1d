import { useMutation } from '@tanstack/react-query'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { useTexts } from '../../kit/language.tsx'
import { LiveRegion, Note } from '../../kit/note.tsx'
import { saveFile } from '../../kit/save-file.ts'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { RefusalMessage } from '../shared/api/refusal-message.tsx'
import { useStepUp } from '../shared/identity/step-up.tsx'
import { TEXTS } from './texts.ts'

// Everything that is kept about the member, as one file. It goes straight to the disk: the page shows none of it.
export function OwnDataCard() {
  const texts = useTexts(TEXTS)
  const withStepUp = useStepUp()
  const save = useMutation({
    mutationFn: () => withStepUp(() => callApi('POST /data-export')),
    onSuccess: ({ fileName, content }) => saveFile(fileName, content),
    // Not kept in memory any longer than that.
    gcTime: 0,
  })
  return (
    <Card className="flex flex-col gap-3">
      <div>
        <h2 className="text-[1.0625rem] font-semibold">{texts.ownData}</h2>
        <p className="text-sm text-sub">{texts.ownDataSub}</p>
      </div>
      <Button look="quiet" busy={save.isPending} onClick={() => save.mutate()}>
        {texts.ownDataSave}
      </Button>
      <LiveRegion role="status">{save.isSuccess && <Note look="tint">{texts.ownDataSaved}</Note>}</LiveRegion>
      <RefusalMessage refusal={save.isError ? refusalOf(save.error) : undefined} />
    </Card>
  )
}
