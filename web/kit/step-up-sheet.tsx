import { IdentityForm } from './identity.tsx'
import { useTexts } from './language.tsx'
import { Sheet } from './sheet.tsx'

const TEXTS = {
  ko: {
    title: '본인 확인이 필요해요',
    body: '안전을 위해 본인 명의 휴대폰으로 한 번만 확인할게요. 확인하면 하던 일을 이어서 해요.',
  },
  en: {
    title: 'Please verify that it is you',
    body: 'To keep you safe we ask once for a code on your own phone. Then we go on with what you were doing.',
  },
}

export default function StepUpSheet({ onVerified, onClose }: { onVerified(): void; onClose(): void }) {
  const texts = useTexts(TEXTS)
  return (
    <Sheet open onClose={onClose} title={texts.title}>
      <p className="mb-4 text-sub">{texts.body}</p>
      <IdentityForm purpose="step_up" onVerified={onVerified} />
    </Sheet>
  )
}
