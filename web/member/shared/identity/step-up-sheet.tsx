import { useState } from 'react'
import type { IdentityVerification, PersonDetails } from '../../../../contract/member.gen.ts'
import { useTexts } from '../../../kit/language.tsx'
import { Sheet } from '../../../kit/sheet.tsx'
import { callApi } from '../api/call-api.ts'
import { CodeForm } from './code-form.tsx'
import { DetailsForm } from './details-form.tsx'

const TEXTS = {
  ko: {
    title: '본인 확인이 필요해요',
    body: '안전을 위해 본인 명의 휴대폰으로 확인할게요. 출금이나 비밀번호 변경처럼 중요한 일은 10분 안에 확인한 적이 있어야 해요. 확인하면 하던 일을 이어서 해요.',
  },
  en: {
    title: 'Please verify that it is you',
    body: 'To keep you safe we ask for a code on your own phone. What matters most, such as a withdrawal or a new password, needs one from the last ten minutes. Then we go on with what you were doing.',
  },
}

interface Props {
  onVerified(): void
  onClose(): void
  // In place of the usual words.
  title?: string
  body?: string
}

// The default export: it loads only when the service asks for a verification.
export default function StepUpSheet({ onVerified, onClose, title, body }: Props) {
  const texts = useTexts(TEXTS)
  return (
    <Sheet open onClose={onClose} title={title ?? texts.title}>
      <p className="mb-4 text-sub">{body ?? texts.body}</p>
      <StepUpForm onVerified={onVerified} />
    </Sheet>
  )
}

// Details first, then the code, in one sheet: the page below keeps what the person was doing.
function StepUpForm({ onVerified }: { onVerified(): void }) {
  const [details, setDetails] = useState<PersonDetails>()
  const [started, setStarted] = useState<IdentityVerification>()
  if (!started || !details) {
    return (
      <DetailsForm
        initial={details ?? null}
        onSend={async (typed) => {
          // Kept for the way back from the code.
          setDetails(typed)
          setStarted(await callApi('POST /identity', { body: { purpose: 'step_up', ...typed } }))
        }}
      />
    )
  }
  const params = { verificationId: started.verificationId }
  return (
    <CodeForm
      // A new verification begins with an empty field.
      key={started.verificationId}
      sent={{ mdn: details.mdn, ...started }}
      onConfirm={async (code) => {
        await callApi('POST /identity/:verificationId/confirm', { params, body: { code } })
        onVerified()
      }}
      onResend={async () => setStarted(await callApi('POST /identity/:verificationId/resend', { params }))}
      onChangeDetails={() => setStarted(undefined)}
    />
  )
}
