import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { CheckedStatement } from '../../../contract/member.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { Field } from '../../kit/field.tsx'
import { date, moment } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { Heading } from '../../kit/layout.tsx'
import { Note } from '../../kit/note.tsx'
import { Rows } from '../../kit/rows.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { refusalOf } from '../shared/api/refusal.ts'
import { RefusalMessage } from '../shared/api/refusal-message.tsx'
import { MemberLayout } from '../shared/member-layout.tsx'
import { ASSETS, amountOf, MOVEMENT_TEXTS } from '../shared/movements.ts'
import { inGroups } from '../statement/issue-details.tsx'
import { TEXTS } from '../statement/texts.ts'

// For a person who received a statement: no session is needed. A statement's link carries number and
// code in its fragment, which a browser never sends.
export default function CheckPage() {
  const texts = useTexts(TEXTS)
  // Read once: after that the two fields belong to the reader.
  const [given] = useState(() => /^#(\d{12})\.(\w{20})$/.exec(window.location.hash))
  const [number, setNumber] = useState(given ? inGroups(given[1]!, 4) : '')
  const [code, setCode] = useState(given ? inGroups(given[2]!, 5) : '')
  const [missing, setMissing] = useState(false)
  const check = useMutation({
    mutationFn: () => callApi('POST /statements/check', { body: { number, code } }),
  })
  const refusal = check.isError ? refusalOf(check.error) : undefined
  // An unknown number and a wrong code look alike: a guess must not learn which one was right.
  const isUnknown = refusal?.code === 'not_found' || refusal?.code === 'invalid_request'
  const change = (set: (text: string) => void) => (event: { target: { value: string } }) => {
    set(event.target.value)
    // Old messages belong to what was typed before.
    setMissing(false)
    check.reset()
  }
  return (
    <MemberLayout title={texts.checkTitle}>
      <Heading sub={texts.checkSub}>{texts.checkTitle}</Heading>
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (number.trim() === '' || code.trim() === '') return setMissing(true)
          if (!check.isPending) check.mutate()
        }}
      >
        <Field
          label={texts.number}
          value={number}
          inputMode="numeric"
          autoComplete="off"
          maxLength={40}
          placeholder="0000-0000-0000"
          onChange={change(setNumber)}
          className="font-code"
        />
        <Field
          label={texts.code}
          value={code}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          maxLength={60}
          placeholder="XXXXX-XXXXX-XXXXX-XXXXX"
          onChange={change(setCode)}
          error={missing ? texts.missing : undefined}
          className="font-code"
        />
        <Button type="submit" busy={check.isPending}>
          {texts.check}
        </Button>
      </form>
      <div role="status" className="flex flex-col gap-3 empty:hidden">
        {isUnknown && (
          <Note look="bad">
            <p className="font-semibold">{texts.unknown}</p>
            <p>{texts.unknownSub}</p>
          </Note>
        )}
        {check.data && <Genuine statement={check.data} />}
      </div>
      <RefusalMessage refusal={isUnknown ? undefined : refusal} />
    </MemberLayout>
  )
}

// What the service has under that number. The reader compares it with the paper.
function Genuine({ statement }: { statement: CheckedStatement }) {
  const texts = useTexts(TEXTS)
  const names = useTexts(MOVEMENT_TEXTS)
  const { language } = useLanguage()
  const { number, name, from, to, issuedAt, closing } = statement
  return (
    <Card className="flex flex-col gap-2">
      <h2 className="text-lg font-bold">{texts.genuine}</h2>
      <p className="text-[0.9375rem] text-sub">{texts.genuineSub}</p>
      <Rows
        rows={[
          { name: texts.number, value: inGroups(number, 4) },
          { name: texts.name, value: name },
          { name: texts.period, value: `${date(from, language)} – ${date(to, language)}` },
          { name: texts.issuedAt, value: moment(issuedAt, language) },
        ]}
      />
      <h3 className="border-t border-line pt-3 font-medium">{texts.closing}</h3>
      <Rows
        rows={ASSETS.map((asset) => ({
          name: names[asset],
          value: amountOf(asset, String(closing[asset]), language),
          strong: true,
        }))}
      />
    </Card>
  )
}
