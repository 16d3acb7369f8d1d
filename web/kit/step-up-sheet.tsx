import { StepUpForm } from './identity.tsx'
import { useTexts } from './language.tsx'
import { Sheet } from './sheet.tsx'

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
  // For what it is asked, where that is not the usual.
  title?: string
  body?: string
}

export default function StepUpSheet({ onVerified, onClose, title, body }: Props) {
  const texts = useTexts(TEXTS)
  return (
    <Sheet open onClose={onClose} title={title ?? texts.title}>
      <p className="mb-4 text-sub">{body ?? texts.body}</p>
      <StepUpForm onVerified={onVerified} />
    </Sheet>
  )
}
