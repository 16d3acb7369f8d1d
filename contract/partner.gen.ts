// Made by `npm run generate` from openapi.json. Do not edit.

export interface Assets {
  partner: string
  partnerKey: string
  asOf: string
  currency: 'KRW'
  // Won of points, which buy gold and silver.
  points: number
  // Won from selling metal.
  deposit: number
  gold: MetalAsset
  silver: MetalAsset
  // Won: points, deposit, and the value of gold and silver.
  totalValue: number
}

export interface Cancellation {
  // Identifier of the purchase.
  txId: string
  // Identifier of the gift card.
  giftId: string
  // Won that are no longer owed.
  amount: number
  cancelledAt: string
}

export interface CancellationAnswer {
  result: 'success'
  data: Cancellation
}

export interface CancellationRequest {
  // Why, for the operator. Kept encrypted.
  reason: string
}

export interface CardDeliveries {
  // Identifier of the gift card.
  giftId: string
  deliveries: Delivery[]
}

export type Channel = 'alimtalk' | 'text'

export interface DeliveriesAnswer {
  result: 'Success'
  data: CardDeliveries
}

export interface Delivery {
  channel: Channel
  purpose: 'gift' | 'resend' | 'reminder' | 'cancellation'
  status: DeliveryStatus
  // Why, for example not_a_messenger_user, phone_unreachable, card_voided.
  reason: string | null
  // Of a failure: whether sending it again can help.
  retryable: boolean | null
  // How often it was tried, those times included when no provider was there to take it.
  attempts: number
  // When it was to be sent.
  createdAt: string
  sentAt: string | null
  settledAt: string | null
  events: DeliveryEvent[]
}

export interface DeliveryEvent {
  // When the status changed.
  at: string
  status: DeliveryStatus
  attempt: number
  // Why, for example not_a_messenger_user, phone_unreachable, card_voided.
  reason: string | null
}

export type DeliveryStatus = 'queued' | 'accepted' | 'delivered' | 'failed' | 'unknown'

export interface ErrorMessage {
  error: string
}

export interface GiftCard {
  // Number of the gift card.
  giftId: number
  // Won credited to the recipient.
  amount: number
  // Whether the card has been redeemed.
  used: boolean
  // Last day on which it can be redeemed, in Seoul.
  expires: string
  // Whether it can be redeemed now.
  valid: boolean
}

export interface GiftCardAnswer {
  result: 'Success'
  data: GiftCard
}

export type GiftCardStatus = 'issued' | 'used' | 'cancelled' | 'expired'

export interface GiftCards {
  giftCards: ListedGiftCard[]
  // Where the list goes on; null at its end.
  nextCursor: string | null
}

export interface GiftCardsAnswer {
  result: 'Success'
  data: GiftCards
}

export interface HashKey {
  // Opens the web view for one hour. Treat it as a password.
  hashKey: string
  expiresAt: string
  // The web view, already logged in.
  webViewUrl: string
}

export interface InvalidPart {
  // JSON pointer into the body.
  pointer?: string
  parameter?: string
  header?: string
  detail: string
}

export interface ListedGiftCard {
  // Identifier of the purchase.
  txId: string
  // Identifier of the gift card.
  giftId: string
  // The card's number, which the look-up answers as `giftId`.
  number: number
  // Won credited to the recipient.
  amount: number
  status: GiftCardStatus
  issuedAt: string
  // Last day on which it can be redeemed, in Seoul.
  expires: string
}

export interface MetalAsset {
  // Decimal text with four places.
  grams: string
  // Won.
  pricePerGram: number
  // Won, rounded down.
  value: number
}

export interface PartnerUser {
  // The partner's code.
  partner: string
  // The userKey of the signup.
  partnerKey: string
}

export interface Problem {
  // Address of the page that explains the code.
  type: string
  title: string
  status: number
  // Stable: switch on this.
  code: string
  requestId: string
  // Whom to ask, where only a person can help.
  contact?: string
  // Every bad part of the request, 32 at most.
  errors?: InvalidPart[]
}

export interface Purchase {
  // Identifier of the purchase.
  txId: string
  // Identifier of the gift card.
  giftId: string
}

export interface PurchaseAnswer {
  result: 'success'
  data: Purchase
}

export interface PurchaseRequest {
  // Recipient's Korean mobile number. Hyphens, spaces and +82 are accepted.
  phoneNumber: string
  // Won credited to the recipient, within the bounds agreed with the partner.
  amount: number
}

export interface RegisteredUser {
  // As sent.
  traceNo: string
  partner: string
  // The partner key for later calls.
  userKey: string
  // `N`: this person was registered with you before, under this userKey.
  newUserYn: 'Y' | 'N'
  // When this person was registered with you.
  registeredAt: string
}

export interface Resend {
  // Identifier of the purchase.
  txId: string
  // Identifier of the gift card.
  giftId: string
  channels: Channel[]
}

export interface ResendAnswer {
  result: 'success'
  data: Resend
}

export interface SignupRequest {
  // Any text of yours to trace the call by. Sent back, and kept encrypted with the signup.
  traceNo: string
  // The partner's code.
  partner: string
  // Only for a partner with a custom key format, and required there: a key in the agreed format. Otherwise the service issues a UUID.
  partnerKey?: string
  userInfo: UserInfo
  // What the user agreed to, each id once. Kept as a dated history.
  termsList?: TermsAgreement[]
}

export interface TermsAgreement {
  termsId: string
  agreeYn: 'Y' | 'N'
}

export interface Usage {
  // As sent.
  startDate: string
  // As sent.
  endDate: string
  // Won of cards issued in the period, voided ones taken out.
  totalIssued: number
  // Won of cards redeemed in the period.
  totalUsed: number
  // Of the cards issued in the period, the won redeemed so far.
  totalUsedInIssued: number
}

export interface UserInfo {
  // The name used in the identity verification: readable, in one line, no web address.
  name: string
  // YYYYMMDD: a real day, not in the future.
  birthday: string
  // Domestic citizen.
  nationality: 'K'
  // The mobile number used in the identity verification, digits only.
  mdn: string
  gender: 'F' | 'M'
  // The 88 characters of the identity verification: ASCII, without blanks.
  ci: string
}

// The `code` of a problem.
export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'credit_limit_exceeded'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'conflict'
  | 'request_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'too_many_requests'
  | 'headers_too_large'
  | 'internal_error'
  | 'service_unavailable'
  | 'wrong_login'
  | 'passkey_failed'
  | 'step_up_required'
  | 'account_frozen'
  | 'under_age'
  | 'not_eligible'
  | 'card_not_registered'
  | 'card_used'
  | 'card_already_yours'
  | 'card_expired'
  | 'card_cancelled'
  | 'card_refunded'
  | 'card_still_valid'
  | 'refund_too_late'
  | 'card_not_extendable'
  | 'pin_mistyped'
  | 'wrong_code'
  | 'identity_failed'
  | 'other_person'
  | 'account_holder_differs'
  | 'weak_password'
  | 'login_id_taken'
  | 'already_member'
  | 'quote_expired'
  | 'insufficient_balance'
  | 'withdrawals_stopped'
  | 'assets_remain'
  | 'amount_too_small'
  | 'prices_stale'
  | 'trading_stopped'
  | 'proof_required'

export interface Operations {
  // Register a user.
  signUpUser: {
    method: 'POST'
    url: '/v1/partners/signup'
    body: SignupRequest
    answer: RegisteredUser
  }
  // Get a hash key for the web view.
  issueHashKey: {
    method: 'POST'
    url: '/v1/partners/user/hash'
    body: PartnerUser
    answer: HashKey
  }
  // Look up a user's assets.
  lookUpAssets: {
    method: 'GET'
    url: '/v1/partners/user/asset/gross'
    query: {
      // The partner's code.
      source: string
      // The userKey of the signup.
      partnerKey: string
    }
    answer: Assets
  }
  // Look up a user's assets.
  lookUpAssetsByPost: {
    method: 'POST'
    url: '/v1/partners/user/asset/gross'
    body: PartnerUser
    answer: Assets
  }
  // Buy a gift card.
  buyGiftCard: {
    method: 'POST'
    url: '/v2/partner/metal/giftcard/buy'
    headers: {
      // Makes a retry safe for 30 days: the same key and purchase give the same card, the same key with another purchase 422. A key of your own for each purchase, such as `order-20261115-0001`.
      'Idempotency-Key'?: string
    }
    body: PurchaseRequest
    answer: PurchaseAnswer
  }
  // List gift cards (extension).
  listGiftCards: {
    method: 'GET'
    url: '/v2/partner/metal/giftcard'
    query: {
      // First day of issue, a Seoul day: YYYY-MM-DD or YYYY-M-D.
      startDate?: string
      // Last day of issue, included.
      endDate?: string
      // As of now, in Seoul.
      status?: 'issued' | 'used' | 'cancelled' | 'expired'
      // How many cards an answer may have: a number from 1 to 500. Without it 100.
      limit?: string
      // The `nextCursor` of the answer before, with the same filters.
      cursor?: string
    }
    answer: GiftCardsAnswer
  }
  // Look up a gift card.
  lookUpGiftCard: {
    method: 'GET'
    url: '/v2/partner/metal/giftcard/buy/:giftUUID'
    params: {
      // The giftId or txId of the purchase (a UUID, in either case), or the number of the card.
      giftUUID: string
    }
    answer: GiftCardAnswer
  }
  // How a card's messages fared (extension).
  giftCardDeliveries: {
    method: 'GET'
    url: '/v2/partner/metal/giftcard/buy/:giftUUID/deliveries'
    params: {
      // The giftId or txId of the purchase (a UUID, in either case), or the number of the card.
      giftUUID: string
    }
    answer: DeliveriesAnswer
  }
  // Send a card's messages again (extension).
  resendGiftCard: {
    method: 'POST'
    url: '/v2/partner/metal/giftcard/buy/:giftUUID/resend'
    params: {
      // The giftId or txId of the purchase (a UUID, in either case), or the number of the card.
      giftUUID: string
    }
    answer: ResendAnswer
  }
  // Cancel a gift card (extension).
  cancelGiftCard: {
    method: 'POST'
    url: '/v2/partner/metal/giftcard/buy/:giftUUID/cancel'
    params: {
      // The giftId or txId of the purchase (a UUID, in either case), or the number of the card.
      giftUUID: string
    }
    body: CancellationRequest
    answer: CancellationAnswer
  }
  // Usage totals of a period.
  usageTotals: {
    method: 'GET'
    url: '/v2/partner/usage'
    query: {
      // First day of the period, a Seoul day: YYYY-MM-DD or YYYY-M-D.
      startDate: string
      // Last day of the period, included. Ten years at most.
      endDate: string
    }
    answer: Usage
  }
}
