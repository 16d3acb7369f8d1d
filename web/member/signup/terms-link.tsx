import { useQuery } from '@tanstack/react-query'
import { BASE_PATH } from '../../kit/environment.ts'
import { date } from '../../kit/format.ts'
import { useLanguage, useTexts } from '../../kit/language.tsx'
import { callApi } from '../shared/api/call-api.ts'

const TEXTS = {
  ko: {
    terms: (version: string) => `이용약관 전문 (${version} 시행)`,
    privacy: (version: string) => `개인정보 처리방침 전문 (${version} 시행)`,
    termsNow: '이용약관 전문',
    privacyNow: '개인정보 처리방침 전문',
  },
  en: {
    terms: (version: string) => `The whole terms (in force from ${version})`,
    privacy: (version: string) => `The whole privacy policy (in force from ${version})`,
    termsNow: 'The whole terms',
    privacyNow: 'The whole privacy policy',
  },
}

// A version of the terms is named by the day it took effect. The consent carries it, and the link leads to that text. It is
// never reloaded: a member agrees to what was shown, however long signing up takes.
export const useTermsVersions = () =>
  useQuery({ queryKey: ['terms'], queryFn: () => callApi('GET /terms'), staleTime: Number.POSITIVE_INFINITY })

// In another tab, so that the form keeps its state.
export function TermsLink({ kind }: { kind: 'terms' | 'privacy' }) {
  const texts = useTexts(TEXTS)
  const { language } = useLanguage()
  const version = useTermsVersions().data?.[kind]
  return (
    <a
      // Until the version is known, the link leads to the text in force.
      href={`${BASE_PATH}/${kind}${version ? `/${version}` : ''}?lang=${language}`}
      target="_blank"
      rel="noopener"
      className="inline-flex min-h-12 items-center text-sm text-link"
    >
      {version ? texts[kind](date(version, language)) : texts[`${kind}Now`]}
    </a>
  )
}
