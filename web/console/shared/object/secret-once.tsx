import { BASE_PATH } from '../../../kit/environment.ts'
import { useTexts } from '../../../kit/language.tsx'
import { Note } from '../../../kit/note.tsx'
import { CopyId } from '../values.tsx'

const TEXTS = {
  ko: {
    once: '이 키는 지금 한 번만 보입니다. 안전한 곳에 옮겨 주세요.',
    key: 'API 키',
    try: '이렇게 써 봅니다.',
  },
  en: { once: 'This key is shown this once. Put it into a safe place now.', key: 'API key', try: 'Try it:' },
}

// A new API key: nothing keeps it, so whoever closes the sheet has seen it for the last time.
export function SecretOnce({ secret }: { secret: string }) {
  const texts = useTexts(TEXTS)
  const today = new Date().toISOString().slice(0, 10)
  // An operation that only reads: trying the key changes nothing.
  const address = `${window.location.origin}${BASE_PATH}/v2/partner/usage?startDate=${today}&endDate=${today}`
  const example = `curl -H "Authorization: Bearer ${secret}" \\\n  "${address}"`
  return (
    <div className="flex flex-col gap-3">
      <Note look="warn">{texts.once}</Note>
      <CopyId id={secret} label={texts.key} />
      <div>
        <p className="text-sm text-sub">{texts.try}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <pre tabIndex={0} className="overflow-x-auto rounded-xl bg-ground p-3 font-code text-[0.8125rem]">
          {example}
        </pre>
      </div>
    </div>
  )
}
