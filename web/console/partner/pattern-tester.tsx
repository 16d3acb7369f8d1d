import { useState } from 'react'
import type { KeyPatternTested, PartnerPage } from '../../../contract/console.gen.ts'
import { Button } from '../../kit/button.tsx'
import { Field } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { useTexts } from '../../kit/language.tsx'
import { LiveRegion, Note } from '../../kit/note.tsx'
import { callApi } from '../shared/api/call-api.ts'
import { type Refusal, refusalOf } from '../shared/api/refusal.ts'
import { RefusalMessage } from '../shared/api/refusal-message.tsx'
import { Section } from '../shared/page.tsx'
import { TEXTS } from './texts.ts'

// Whether a user key would be taken, by the service's own rule.
export function PatternTester({ partner }: { partner: PartnerPage }) {
  const texts = useTexts(TEXTS)
  const [pattern, setPattern] = useState(partner.keyPattern ?? '')
  const [key, setKey] = useState('')
  const [tested, setTested] = useState<KeyPatternTested>()
  const [refusal, setRefusal] = useState<Refusal>()
  const isCustom = partner.keyFormat === 'custom' || pattern !== ''
  async function test() {
    setRefusal(undefined)
    try {
      const body = isCustom
        ? { keyFormat: 'custom' as const, keyPattern: pattern, key }
        : { keyFormat: 'uuid' as const, keyPattern: null, key }
      // The service applies its own rule, so the answer is the one a registration would get.
      // It limits the rate of tests, so they run on submit and not with each letter.
      setTested(await callApi('POST /partners/test-key-pattern', { body }))
    } catch (error) {
      setRefusal(refusalOf(error))
    }
  }
  // An answer is about the texts that were tested, so a change removes it.
  const change = (set: (text: string) => void) => (event: { target: { value: string } }) => {
    set(event.target.value)
    setTested(undefined)
  }
  return (
    <Section title={texts.tester} aside={texts.testerHint}>
      <Form onSubmit={() => void test()}>
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label={texts.keyPattern} value={pattern} maxLength={200} onChange={change(setPattern)} />
          <Field label={texts.key} value={key} maxLength={200} onChange={change(setKey)} />
        </div>
        <LiveRegion role="status">
          {tested && (
            <Note look={tested.matches ? 'tint' : 'bad'}>
              {tested.why === null ? texts.matches : texts[tested.why]}
            </Note>
          )}
        </LiveRegion>
        <RefusalMessage refusal={refusal} />
        <div className="flex">
          <Button size="small" look="quiet" type="submit">
            {texts.test}
          </Button>
        </div>
      </Form>
    </Section>
  )
}
