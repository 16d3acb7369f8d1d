import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Carrier, PersonDetails } from '../../../../contract/member.gen.ts'
import { Button } from '../../../kit/button.tsx'
import { IS_SANDBOX } from '../../../kit/environment.ts'
import { Field, Segments, SelectField } from '../../../kit/field.tsx'
import { Form } from '../../../kit/form.tsx'
import { useLanguage, useTexts } from '../../../kit/language.tsx'
import { callApi } from '../api/call-api.ts'
import { refusalOf } from '../api/refusal.ts'
import { RefusalMessage } from '../api/refusal-message.tsx'
import { TEXTS } from './identity-texts.ts'

// No gender and no carrier is chosen in advance: a wrong guess would fail the verification.
type Draft = Omit<PersonDetails, 'gender' | 'carrier'> & Partial<Pick<PersonDetails, 'gender' | 'carrier'>>

const NOBODY: Draft = { name: '', birthday: '', mdn: '' }
const CARRIERS = ['SKT', 'KT', 'LGU'] as const
const CARRIER_NAMES = { SKT: 'SKT', KT: 'KT', LGU: 'LG U+' }

interface DetailsProps {
  initial: PersonDetails | null
  // Resolves when the code is on its way; throws a refusal.
  onSend(details: PersonDetails): Promise<void>
  // Where the button goes: a page has its own place for it.
  placeButton?(button: ReactNode): ReactNode
}

// What the carrier knows about its customer. The carrier compares it, and sends the code.
export function DetailsForm({ initial, onSend, placeButton = (button) => button }: DetailsProps) {
  const texts = useTexts(TEXTS)
  const [person, setPerson] = useState<Draft>(initial ?? NOBODY)
  // Errors show after the first submit, and then while the fields are corrected.
  const [shown, setShown] = useState(false)
  const start = useMutation({ mutationFn: onSend })
  // The shape only: whether it is true, the carrier says.
  const wrong: Wrong = {
    name: person.name.trim() === '' ? texts.badName : undefined,
    birthday: /^\d{8}$/.test(person.birthday) ? undefined : texts.badBirthday,
    gender: person.gender ? undefined : texts.noGender,
    carrier: person.carrier ? undefined : texts.noCarrier,
    mdn: /^0\d{8,11}$/.test(person.mdn.replace(/[\s-]/g, '')) ? undefined : texts.badMdn,
  }
  return (
    <Form
      fill
      onSubmit={() => {
        setShown(true)
        const { gender, carrier } = person
        if (start.isPending || !gender || !carrier || Object.values(wrong).some(Boolean)) return
        start.mutate({ ...person, gender, carrier })
      }}
    >
      {IS_SANDBOX && <PersonaPicker onPick={setPerson} />}
      <PersonFields {...{ person, setPerson }} wrong={shown ? wrong : {}} />
      <RefusalMessage refusal={start.isError ? refusalOf(start.error) : undefined} />
      {placeButton(
        <Button type="submit" busy={start.isPending}>
          {texts.sendCode}
        </Button>,
      )}
    </Form>
  )
}

type Wrong = Partial<Record<keyof PersonDetails, string | undefined>>

function PersonFields(props: { person: Draft; setPerson(person: Draft): void; wrong: Wrong }) {
  const { person, wrong } = props
  const texts = useTexts(TEXTS)
  const change = (part: Partial<Draft>) => props.setPerson({ ...person, ...part })
  return (
    <>
      <Field
        label={texts.name}
        autoComplete="name"
        value={person.name}
        error={wrong.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <Field
        label={texts.birthday}
        hint={texts.birthdayHint}
        inputMode="numeric"
        autoComplete="bday"
        // Longer than eight digits, so that a birthday with hyphens can be pasted whole.
        maxLength={10}
        value={person.birthday}
        error={wrong.birthday}
        onChange={(event) => change({ birthday: event.target.value.replace(/\D/g, '').slice(0, 8) })}
      />
      <Segments
        legend={texts.gender}
        value={person.gender}
        error={wrong.gender}
        options={[
          { value: 'F', label: texts.female },
          { value: 'M', label: texts.male },
        ]}
        onChange={(gender) => change({ gender })}
      />
      <CarrierField
        value={person.carrier}
        error={wrong.carrier}
        onChange={(carrier) => change({ carrier })}
      />
      <Field
        label={texts.mdn}
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
        maxLength={20}
        value={person.mdn}
        error={wrong.mdn}
        onChange={(event) => change({ mdn: event.target.value })}
      />
    </>
  )
}

function CarrierField(props: {
  value: Carrier | undefined
  error: string | undefined
  onChange(carrier: Carrier): void
}) {
  const texts = useTexts(TEXTS)
  return (
    <SelectField
      label={texts.carrier}
      value={props.value ?? ''}
      error={props.error}
      onChange={(event) => props.onChange(event.target.value as Carrier)}
    >
      <option value="" disabled>
        {texts.chooseCarrier}
      </option>
      {CARRIERS.map((carrier) => (
        <option key={carrier} value={carrier}>
          {CARRIER_NAMES[carrier]}
        </option>
      ))}
      {CARRIERS.map((carrier) => (
        <option key={`${carrier}_MVNO`} value={`${carrier}_MVNO`}>
          {texts.mvno(CARRIER_NAMES[carrier])}
        </option>
      ))}
    </SelectField>
  )
}

// Invented people of the sandbox, so that a developer needs no phone contract of their own.
function PersonaPicker({ onPick }: { onPick(person: Draft): void }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const personas = useQuery({
    queryKey: ['personas'],
    queryFn: () => callApi('GET /personas'),
    // The sandbox's people do not change while the page is open.
    staleTime: Infinity,
  })
  const list = personas.data?.personas ?? []
  if (list.length === 0) return null
  return (
    <SelectField
      label={texts.persona}
      defaultValue=""
      onChange={(event) => {
        // The note explains the persona to the developer; the carrier does not know it.
        const { note: _, ...found } = list[Number(event.target.value)] ?? { ...NOBODY, note: undefined }
        onPick(found as Draft)
      }}
    >
      <option value="">{texts.choosePersona}</option>
      {list.map((persona, i) => (
        <option key={persona.mdn} value={i}>
          {persona.name} · {persona.note[language]}
        </option>
      ))}
    </SelectField>
  )
}
