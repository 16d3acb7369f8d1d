import { useEffect, useState } from 'react'
import type { MaskedPerson, RevealedPerson } from '../../../../contract/console.gen.ts'
import { Button } from '../../../kit/button.tsx'
import { phone } from '../../../kit/format.ts'
import { useTexts } from '../../../kit/language.tsx'
import { ActSheet } from '../act-sheet.tsx'
import { Section } from '../page.tsx'
import { useMay } from '../session.ts'
import { Facts, Nothing } from '../values.tsx'

const TEXTS = {
  ko: {
    title: '개인정보',
    masked: '가려져 있습니다.',
    shown: '열람 중입니다. 5분 뒤 다시 가려집니다.',
    name: '이름',
    phone: '휴대전화',
    birthday: '생년월일',
    gender: '성별',
    genders: { M: '남성', F: '여성' } as Record<string, string>,
    reveal: '열람하기',
    hide: '가리기',
    will: '이름, 휴대전화, 생년월일을 5분 동안 보여 줍니다. 누가 왜 열람했는지 감사 기록에 남습니다.',
    nothing: '저장된 개인정보가 없습니다. 제휴사 사용자 페이지에서 제휴사가 준 정보를 열람할 수 있습니다.',
  },
  en: {
    title: 'Personal data',
    masked: 'Masked.',
    shown: 'Shown in full. It is hidden again after five minutes.',
    name: 'Name',
    phone: 'Mobile',
    birthday: 'Birthday',
    gender: 'Gender',
    genders: { M: 'male', F: 'female' } as Record<string, string>,
    reveal: 'Reveal',
    hide: 'Hide',
    will: 'Shows name, mobile number and birthday for five minutes. Who looked and why goes into the audit log.',
    nothing: "No personal data is stored. A partner user's page shows what its partner told.",
  },
}

interface Props {
  masked: MaskedPerson
  reveal(reason: string): Promise<RevealedPerson>
  onDone(): void
}

// Masked, until someone with the permission gives a reason. What was revealed lives in this component alone: no cache
// keeps it, and leaving the page forgets it.
export function PersonReveal({ masked, reveal, onDone }: Props) {
  const texts = useTexts(TEXTS)
  const may = useMay()
  const [open, setOpen] = useState(false)
  const [shown, setShown] = useState<RevealedPerson>()
  useEffect(() => {
    if (!shown) return undefined
    // The service sets the time: long enough to read the data out on the phone, too short to leave it on a screen.
    const timer = setTimeout(() => setShown(undefined), shown.hideAfterSeconds * 1_000)
    return () => clearTimeout(timer)
  }, [shown])
  const person = shown?.person ?? masked
  const value = (text: string | null) => text ?? <Nothing />
  return (
    <Section
      title={texts.title}
      aside={<span role="status">{shown?.person ? texts.shown : texts.masked}</span>}
    >
      <Facts
        facts={[
          { name: texts.name, value: value(person.name) },
          { name: texts.phone, value: value(shown?.person ? phone(shown.person.mdn) : person.mdn) },
          { name: texts.birthday, value: value(person.birthday) },
          {
            name: texts.gender,
            value: value(person.gender && (texts.genders[person.gender] ?? person.gender)),
          },
        ]}
      />
      {may('members.reveal') && (
        <div className="no-print flex pt-3">
          <Button
            size="small"
            look="quiet"
            onClick={() => (shown?.person ? setShown(undefined) : setOpen(true))}
          >
            {shown?.person ? texts.hide : texts.reveal}
          </Button>
        </div>
      )}
      <ActSheet
        open={open}
        onClose={() => setOpen(false)}
        onDone={onDone}
        title={texts.title}
        explain={texts.will}
        act={texts.reveal}
        run={async (reason) => {
          setShown(await reveal(reason))
          return null
        }}
        // The service may store nothing about a person. The look was recorded all the same.
        result={shown && !shown.person ? texts.nothing : undefined}
      />
    </Section>
  )
}
