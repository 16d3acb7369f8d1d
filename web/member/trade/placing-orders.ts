import { useIsMutating, useMutation } from '@tanstack/react-query'
import type { Metal, Order, Quote, Side } from '../../../contract/member.gen.ts'
import type { AmountUnit } from '../shared/amount/amount.ts'
import { callApi } from '../shared/api/call-api.ts'
import { isOutcomeUnknown, refusalOf } from '../shared/api/refusal.ts'
import { useStepUp } from '../shared/identity/step-up.tsx'
import { queryClient } from '../shared/session/session.ts'

// What a member asks for. The same again, while the first order has no answer, is the same order.
export interface Wish {
  side: Side
  metal: Metal
  unit: AmountUnit
  amount: string
}

export interface Offer {
  wish: Wish
  quote: Quote
}

const UNANSWERED = 'unanswered order'
const ORDER = { mutationKey: ['order'] }

// Beside what was loaded, so that signing out forgets it too. Otherwise it stays as long as this document.
queryClient.setQueryDefaults([UNANSWERED], { gcTime: Number.POSITIVE_INFINITY })

// 1.5 and 1.50 grams are the same wish.
const keyOf = ({ side, metal, unit, amount }: Wish) => [UNANSWERED, side, metal, unit, Number(amount)]

// The quote of an order that was sent and not answered yet. A new quote for the same wish could buy twice.
export const unansweredQuote = (wish: Wish) => queryClient.getQueryData<Quote>(keyOf(wish))

export type Placing = ReturnType<typeof usePlaceOrder>

// Sends an order. The form has it, not the sheet: a sheet that is closed meanwhile loses neither the answer nor a refusal.
export function usePlaceOrder(onPlaced: (order: Order) => void) {
  const withStepUp = useStepUp()
  // Also of a form that was left: its order goes on.
  const isUnderWay = useIsMutating(ORDER) > 0
  const order = useMutation({
    ...ORDER,
    // A step-up in between does not cost the quote: the same id is sent again after it.
    mutationFn: ({ quote }: Offer) =>
      withStepUp(() => callApi('POST /orders', { body: { quoteId: quote.quoteId } })),
    // Kept from now on, before anything is sent.
    onMutate: ({ wish, quote }) => {
      const isRepeated = unansweredQuote(wish) !== undefined
      queryClient.setQueryData(keyOf(wish), quote)
      return { isRepeated }
    },
    onSuccess: (placed, { wish }) => {
      forget(wish)
      // Balances, history and the assets page all change with an order.
      onPlaced(placed)
      void queryClient.invalidateQueries()
    },
    onError: (error, { wish }, sent) => {
      const refusal = refusalOf(error)
      // A refusal after a lost answer proves nothing about the first try. An expired quote does: it can buy no more.
      const isProof = !sent?.isRepeated || refusal.code === 'quote_expired'
      if (isProof && !isOutcomeUnknown(refusal)) forget(wish)
    },
  })
  const refusal = order.isError ? refusalOf(order.error) : undefined
  return {
    // A second tap can come before the button renders as busy.
    send: (offer: Offer) => queryClient.isMutating(ORDER) > 0 || order.mutate(offer),
    refusal,
    isUnderWay,
    isRepeated: order.context?.isRepeated ?? false,
    // Not while one is under way: the form has to hear its answer.
    reset: () => isUnderWay || order.reset(),
  }
}

const forget = (wish: Wish) => queryClient.removeQueries({ queryKey: keyOf(wish) })
