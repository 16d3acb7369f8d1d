import { useQuery } from '@tanstack/react-query'
import type { Metal, TradingState } from '../../../contract/member.gen.ts'
import { useTexts } from '../../kit/language.tsx'
import { LiveRegion, Note } from '../../kit/note.tsx'
import { callApi } from './api/call-api.ts'

const TEXTS = {
  ko: {
    stale:
      '시세를 받지 못하고 있어 거래를 잠시 멈췄어요. 보유한 자산은 그대로예요. 조금 뒤에 다시 확인해 주세요.',
    stopped: '지금은 거래를 멈췄어요. 보유한 자산은 그대로예요.',
  },
  en: {
    stale:
      'Prices are not arriving, so trading is paused. What you hold stays as it is. Please look again shortly.',
    stopped: 'Trading is stopped for now. What you hold stays as it is.',
  },
}

// The service reads new prices once a minute. Asking four times as often shows a new one soon after it comes.
const REFRESH_MS = 15_000

export const usePrices = () =>
  useQuery({
    queryKey: ['prices'],
    queryFn: () => callApi('GET /prices'),
    refetchInterval: REFRESH_MS,
    // Components that mount one after the other share one answer.
    staleTime: REFRESH_MS / 2,
  })

// Disabled for a guest: the service would refuse the call.
export const useAssets = (enabled = true) =>
  useQuery({ queryKey: ['assets'], queryFn: () => callApi('GET /assets'), enabled })

// Says why nothing can be bought or sold: prices are too old, or the operator has stopped trading.
export function TradingNote({ trading }: { trading: TradingState | undefined }) {
  const texts = useTexts(TEXTS)
  return (
    <LiveRegion role="status">
      {trading === 'stale' || trading === 'stopped' ? <Note>{texts[trading]}</Note> : null}
    </LiveRegion>
  )
}

// Decoration: the metal's name always stands beside it.
export function MetalDot({ metal }: { metal: Metal }) {
  const colour = metal === 'gold' ? 'bg-gold-dot' : 'bg-silver-dot'
  return <span aria-hidden="true" className={`inline-block size-2.5 shrink-0 rounded-full ${colour}`} />
}
