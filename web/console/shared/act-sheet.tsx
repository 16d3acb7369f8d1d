import { type ReactNode, useId, useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Note } from '../../kit/note.tsx'
import { Sheet } from '../../kit/sheet.tsx'
import { type Refusal, refusalOf } from './api/refusal.ts'
import { RefusalMessage } from './api/refusal-message.tsx'
import { ObjectLink } from './object/object-link.tsx'
import { useProof } from './proof.tsx'

const TEXTS = {
  ko: {
    reason: '사유',
    reasonHint: '감사 기록에 남습니다. 고객의 이름이나 번호는 적지 마세요.',
    reasonMissing: '사유를 입력해 주세요.',
    next: '다음',
    back: '뒤로',
    waits: '요청을 올렸습니다. 다른 사람이 승인하면 실행됩니다.',
    request: '요청 보기',
    done: '완료했습니다.',
    close: '닫기',
  },
  en: {
    reason: 'Reason',
    reasonHint: 'Kept in the audit log. Name no customer and no number of theirs.',
    reasonMissing: 'Enter a reason.',
    next: 'Next',
    back: 'Back',
    waits: 'Asked for. It is carried out when another person approves it.',
    request: 'See the request',
    done: 'Done.',
    close: 'Close',
  },
}

// What an act answers: done, or a change request that waits for a second person.
interface ActAnswer {
  waiting?: boolean
  requestId?: string | null
}

interface Props {
  open: boolean
  onClose(): void
  title: string
  // What will happen, in plain words: shown before the act.
  explain: ReactNode
  // It cannot be done, which `explain` says: there is nothing to fill in or to press.
  impossible?: boolean
  // The word on the button that does it.
  act: string
  // `sell` sets an act apart that takes something away.
  look?: 'main' | 'sell'
  // False for an act that needs none.
  withReason?: boolean
  // A second step that shows what was chosen, for what cannot be undone.
  confirm?: ReactNode
  // More fields. `check` says whether they are complete.
  children?: ReactNode
  check?(): boolean
  // Null: the act is done and answers nothing that the sheet shows.
  run(reason: string): Promise<ActAnswer | null>
  // After it is done, or waits: reload what is shown.
  onDone(): void
  // Shown instead of the usual sentence, such as a secret that is shown once.
  result?: ReactNode
}

type Step = 'form' | 'confirm' | 'waits' | 'done'

// One act of a person: what will happen, why, and the outcome.
export function ActSheet(props: Props) {
  const { open, title, explain, impossible = false, act, look = 'main', withReason = true } = props
  const { confirm, children, result } = props
  const texts = useTexts(TEXTS)
  const form = useId()
  const { step, setStep, requestId, reason, setReason, missing, busy, refusal, close, submit } = useAct(props)
  // After the outcome the only button closes the sheet, so nobody sends the same act twice.
  const isOver = step === 'waits' || step === 'done'
  const isForm = step === 'form'
  return (
    <Sheet
      {...{ open, title }}
      onClose={close}
      actions={
        isOver || impossible ? (
          <Button look="quiet" onClick={close}>
            {texts.close}
          </Button>
        ) : (
          <>
            <Button {...{ look, busy, form }} type="submit">
              {confirm !== undefined && isForm ? texts.next : act}
            </Button>
            {step === 'confirm' && (
              <Button look="quiet" onClick={() => setStep('form')}>
                {texts.back}
              </Button>
            )}
          </>
        )
      }
    >
      {isOver ? (
        <div role="status" className="flex flex-col gap-3">
          <Note look="tint">{step === 'waits' ? texts.waits : texts.done}</Note>
          {requestId && (
            <ObjectLink kind="request" id={requestId}>
              {texts.request}
            </ObjectLink>
          )}
          {result}
        </div>
      ) : (
        <Form id={form} onSubmit={submit}>
          {step === 'confirm' ? confirm : <div className="text-body">{explain}</div>}
          {/* These fields unmount at the confirmation, so the caller keeps their values. */}
          {isForm && !impossible && children}
          {isForm && !impossible && withReason && (
            <Field
              label={texts.reason}
              hint={texts.reasonHint}
              value={reason}
              // The service refuses a longer reason.
              maxLength={500}
              onChange={(event) => setReason(event.target.value)}
              error={missing ? texts.reasonMissing : undefined}
            />
          )}
          <RefusalMessage refusal={refusal} />
        </Form>
      )}
    </Sheet>
  )
}

// If the service wants fresh proof, it asks for that and repeats the act.
function useAct({ onClose, withReason = true, impossible, confirm, check, run, onDone }: Props) {
  const prove = useProof()
  const [step, setStep] = useState<Step>('form')
  const [requestId, setRequestId] = useState<string>()
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()

  // The sheet stays mounted while it is closed. Without this, the next opening would show the last outcome.
  function close() {
    setStep('form')
    setRequestId(undefined)
    setReason('')
    setRefusal(undefined)
    setMissing(false)
    onClose()
  }
  async function runProven(): Promise<ActAnswer | null> {
    try {
      return await run(reason.trim())
    } catch (error) {
      // The service checks the proof before it acts, so the repetition does nothing twice.
      if (refusalOf(error).code !== 'proof_required' || !(await prove())) throw error
      return run(reason.trim())
    }
  }
  async function runOnce() {
    setBusy(true)
    setRefusal(undefined)
    try {
      const answer = await runProven()
      setRequestId(answer?.requestId ?? undefined)
      setStep(answer?.waiting ? 'waits' : 'done')
      onDone()
    } catch (error) {
      setRefusal(refusalOf(error))
      // Back to the fields: the refusal may be about one of them.
      setStep('form')
    } finally {
      setBusy(false)
    }
  }
  function submit() {
    // A busy button is not disabled, so a second click or Enter still arrives here.
    if (busy || impossible) return
    const noReason = withReason && reason.trim() === ''
    setMissing(noReason)
    // Both: all that is missing is said at once.
    const isComplete = check?.() ?? true
    if (noReason || !isComplete) return
    if (confirm !== undefined && step === 'form') setStep('confirm')
    else void runOnce()
  }
  return { step, setStep, requestId, reason, setReason, missing, busy, refusal, close, submit }
}
