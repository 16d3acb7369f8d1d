import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { Checkbox } from '../../kit/field.tsx'
import { useTexts } from '../../kit/language.tsx'
import { Heading } from '../../kit/layout.tsx'
import type { Refusal } from '../shared/api/refusal.ts'
import { RefusalMessage } from '../shared/api/refusal-message.tsx'
import { MemberLayout } from '../shared/member-layout.tsx'
import { TermsLink } from './terms-link.tsx'
import { type Agreed, TEXTS } from './texts.ts'

const NONE: Agreed = { service: false, privacy: false, marketing: false }
const ALL: Agreed = { service: true, privacy: true, marketing: true }

interface Props {
  sub: string
  busy: boolean
  refusal: Refusal | undefined
  onAgreed(agreed: Agreed): void
}

// Terms and privacy are needed, marketing is not: no box is ticked in advance, and ticking all of them takes one tap.
export function TermsForm({ sub, busy, refusal, onAgreed }: Props) {
  const texts = useTexts(TEXTS)
  const [agreed, setAgreed] = useState(NONE)
  const items = ['service', 'privacy', 'marketing'] as const
  return (
    <MemberLayout
      title={texts.title}
      back
      actions={
        <Button disabled={!agreed.service || !agreed.privacy} busy={busy} onClick={() => onAgreed(agreed)}>
          {texts.agree}
        </Button>
      }
    >
      <Heading sub={sub}>{texts.termsHeading}</Heading>
      <Card className="flex flex-col gap-1">
        <Checkbox
          label={<strong className="text-[1.0625rem]">{texts.all}</strong>}
          checked={items.every((item) => agreed[item])}
          onChange={(event) => setAgreed(event.target.checked ? ALL : NONE)}
        />
        <hr className="my-1 border-line" />
        {items.map((item) => (
          <div key={item}>
            <Checkbox
              label={texts[item]}
              checked={agreed[item]}
              onChange={(event) => setAgreed({ ...agreed, [item]: event.target.checked })}
            />
            {item !== 'marketing' && (
              <div className="ms-9">
                <details className="text-sm text-sub">
                  <summary className="flex min-h-12 items-center underline">{texts.read}</summary>
                  <p className="pb-2">{item === 'service' ? texts.serviceText : texts.privacyText}</p>
                </details>
                <TermsLink kind={item === 'service' ? 'terms' : 'privacy'} />
              </div>
            )}
          </div>
        ))}
      </Card>
      <RefusalMessage refusal={refusal} />
    </MemberLayout>
  )
}
