import { Disclosure } from '../../kit/disclosure.tsx'
import { useTexts } from '../../kit/language.tsx'

const TEXTS = { ko: { raw: '원본 JSON' }, en: { raw: 'Raw JSON' } }

// The service's answer as it came: masked like everything else.
export function RawJson({ value }: { value: unknown }) {
  const texts = useTexts(TEXTS)
  return (
    <section className="rounded-2xl bg-surface px-4 py-1 sm:px-5">
      <Disclosure summary={texts.raw}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <pre tabIndex={0} className="overflow-x-auto pb-3 font-code text-[0.8125rem]">
          {JSON.stringify(value, null, 2)}
        </pre>
      </Disclosure>
    </section>
  )
}
