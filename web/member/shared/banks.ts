type Names = Record<'ko' | 'en', string>

// By the three-digit codes of Korea's clearing institute, the most used first.
export const BANKS: Record<string, Names> = {
  '004': { ko: 'KB국민은행', en: 'KB Kookmin' },
  '088': { ko: '신한은행', en: 'Shinhan' },
  '020': { ko: '우리은행', en: 'Woori' },
  '081': { ko: '하나은행', en: 'Hana' },
  '011': { ko: 'NH농협은행', en: 'NH Nonghyup' },
  '003': { ko: 'IBK기업은행', en: 'IBK Industrial' },
  '090': { ko: '카카오뱅크', en: 'KakaoBank' },
  '092': { ko: '토스뱅크', en: 'Toss Bank' },
  '089': { ko: '케이뱅크', en: 'K bank' },
  '023': { ko: 'SC제일은행', en: 'SC First' },
  '027': { ko: '한국씨티은행', en: 'Citibank Korea' },
  '002': { ko: 'KDB산업은행', en: 'KDB' },
  '007': { ko: 'Sh수협은행', en: 'Sh Suhyup' },
  '012': { ko: '지역농·축협', en: 'Local Nonghyup' },
  '031': { ko: 'iM뱅크(대구)', en: 'iM Bank (Daegu)' },
  '032': { ko: '부산은행', en: 'Busan' },
  '034': { ko: '광주은행', en: 'Gwangju' },
  '035': { ko: '제주은행', en: 'Jeju' },
  '037': { ko: '전북은행', en: 'Jeonbuk' },
  '039': { ko: '경남은행', en: 'Kyongnam' },
  '045': { ko: '새마을금고', en: 'MG Saemaul' },
  '048': { ko: '신협', en: 'Shinhyup' },
  '050': { ko: '저축은행', en: 'Savings banks' },
  '064': { ko: '산림조합', en: 'Forestry cooperative' },
  '071': { ko: '우체국', en: 'Korea Post' },
}

export function bankName(code: string, language: 'ko' | 'en'): string {
  // A bank that this release does not know is shown by its code.
  return BANKS[code]?.[language] ?? code
}
