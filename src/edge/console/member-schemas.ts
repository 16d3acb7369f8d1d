import { wonToJson } from '#base/money.ts'
import { instantText } from '#edge/http/instant-text.ts'
import { Type } from '#edge/http/json-schema.ts'
import { choice, object } from '#edge/http/named-schemas.ts'
import type { MemberPage, TransfersPage } from '#flows/members/member-page.ts'
import { gramsText } from '#modules/pricing/rules.ts'
import {
  grams,
  maybeMoment,
  maybeText,
  moment,
  Timeline,
  Transfers,
  textOf,
  timelineJson,
  transferJson,
  won,
} from './object-parts.ts'

const LINK_STATUS = choice('LinkStatus', ['active', 'suspended', 'refused', 'frozen'])

export const LINK = {
  id: Type.String(),
  partner: Type.String({ description: 'Code.' }),
  partnerName: Type.String(),
  partnerKey: Type.String({ description: "The partner's name for the person." }),
  status: LINK_STATUS,
  confirmed: Type.Boolean(),
  registeredAt: moment,
  registeredBy: Type.String(),
  decidedAt: maybeMoment,
}

export const MaskedPerson = object('MaskedPerson', {
  name: maybeText,
  birthday: maybeText,
  gender: maybeText,
  mdn: maybeText,
})

const Holding = object('Holding', {
  through: Type.Union([Type.String(), Type.Null()], {
    description: 'The partner of a link that the member has not decided on. Null: the member’s own.',
  }),
  points: won,
  deposit: won,
  goldGrams: grams,
  silverGrams: grams,
})

const side = choice('OrderSide', ['buy', 'sell'])
const metal = choice('Metal', ['gold', 'silver'])

export const MemberAnswer = object(
  'MemberPage',
  {
    memberId: Type.String(),
    accountId: maybeText,
    loginId: maybeText,
    status: choice('MemberStatus', ['open', 'closed', 'none', 'frozen'], {
      description: '`none`: only partners know this person.',
    }),
    person: MaskedPerson,
    joinedAt: maybeMoment,
    closedAt: maybeMoment,
    passwordChangedAt: maybeMoment,
    language: maybeText,
    withdrawalsStopped: Type.Boolean(),
    now: Type.String({ description: 'The moment of this answer, and of its figures.' }),
    holdings: Type.Array(Holding),
    links: Type.Array(object('MemberLink', LINK)),
    consents: Type.Array(
      object('MemberConsent', {
        termsId: Type.String(),
        version: maybeText,
        agreed: Type.Boolean(),
        at: moment,
      }),
    ),
    sessions: Type.Array(
      object('MemberSession', {
        id: Type.String(),
        device: Type.String(),
        partner: Type.Union([Type.String(), Type.Null()], { description: 'Of a web view.' }),
        startedAt: moment,
        seenAt: moment,
      }),
    ),
    devices: Type.Array(
      object('MemberDevice', {
        ref: Type.String(),
        trustedAt: moment,
        seenAt: moment,
        ofLink: Type.Boolean(),
      }),
    ),
    passkeys: Type.Array(
      object('MemberPasskey', {
        id: Type.String(),
        createdAt: moment,
        lastUsedAt: maybeMoment,
        blockedAt: maybeMoment,
      }),
    ),
    freezes: Type.Array(
      object('MemberFreeze', {
        frozenAt: moment,
        frozenBy: Type.String(),
        thawedAt: maybeMoment,
        thawedBy: maybeText,
      }),
    ),
    orders: Type.Array(
      object('MemberOrder', {
        id: Type.String(),
        at: moment,
        side,
        metal,
        grams,
        price: won,
        fee: won,
        total: won,
      }),
    ),
    withdrawals: Type.Array(
      object('MemberWithdrawal', {
        id: Type.String(),
        requestedAt: moment,
        status: Type.String(),
        amount: won,
        bank: Type.String(),
        account: Type.String({ description: 'Masked.' }),
      }),
    ),
    guesses: Type.Array(
      object('MemberGuesses', {
        kind: Type.String(),
        failures: Type.Integer(),
        limit: Type.Integer(),
        hours: Type.Integer({ description: 'The window in which they count.' }),
      }),
      { description: 'Failed tries that still count against this member.' },
    ),
    transfers: Transfers,
    timeline: Timeline,
  },
  { description: 'A member, masked.' },
)

const METALS = { XAU: 'gold', XAG: 'silver' } as const

export interface MemberGuess {
  kind: string
  failures: number
  limit: number
  hours: number
}

export function transfersJson({ transfers, next }: TransfersPage) {
  return { transfers: transfers.map(transferJson), next }
}

export function memberJson(page: MemberPage, guesses: readonly MemberGuess[]) {
  const { account, line, details } = page
  return {
    memberId: page.memberId,
    accountId: account?.id ?? null,
    loginId: account?.loginId ?? null,
    // A freeze stops the member everywhere, so it is shown before any other state.
    status: line.frozen ? ('frozen' as const) : line.account,
    person: {
      name: line.name,
      mdn: line.mdn,
      birthday: details?.birthday ?? null,
      gender: details?.gender ?? null,
    },
    joinedAt: textOf(account?.createdAt),
    closedAt: textOf(account?.closedAt),
    passwordChangedAt: textOf(account?.passwordChangedAt),
    language: account?.language ?? null,
    withdrawalsStopped: account?.withdrawalsStopped ?? false,
    now: instantText(page.now),
    holdings: page.holdings.map(({ through, points, deposit, gold, silver }) => ({
      through,
      points: wonToJson(points),
      deposit: wonToJson(deposit),
      goldGrams: gramsText(gold),
      silverGrams: gramsText(silver),
    })),
    ...accessJson(page),
    ...actsJson(page),
    guesses: [...guesses],
    transfers: transfersJson(page.transfers),
    timeline: timelineJson(page.timeline),
  }
}

function accessJson(page: MemberPage) {
  const accountId = page.account?.id
  return {
    links: page.links.map((link) => ({
      ...link,
      registeredAt: instantText(link.registeredAt),
      decidedAt: textOf(link.decidedAt),
    })),
    consents: page.consents.map((consent) => ({ ...consent, at: instantText(consent.at) })),
    sessions: page.sessions.map((session) => ({
      ...session,
      startedAt: instantText(session.startedAt),
      seenAt: instantText(session.seenAt),
    })),
    devices: page.devices.map(({ ref, ownerId, trustedAt, seenAt }) => ({
      ref,
      // A browser is trusted by the account, or by one link of a partner.
      ofLink: ownerId !== accountId,
      trustedAt: instantText(trustedAt),
      seenAt: instantText(seenAt),
    })),
    passkeys: page.passkeys.map(({ id, createdAt, lastUsedAt, blockedAt }) => ({
      id,
      createdAt: instantText(createdAt),
      lastUsedAt: textOf(lastUsedAt),
      blockedAt: textOf(blockedAt),
    })),
    freezes: page.freezes.map((freeze) => ({
      ...freeze,
      frozenAt: instantText(freeze.frozenAt),
      thawedAt: textOf(freeze.thawedAt),
    })),
  }
}

function actsJson(page: MemberPage) {
  return {
    orders: page.orders.map((order) => ({
      id: order.id,
      at: instantText(order.at),
      side: order.side,
      metal: METALS[order.metal],
      grams: gramsText(order.units),
      price: wonToJson(order.price),
      fee: wonToJson(order.fee),
      total: wonToJson(order.total),
    })),
    withdrawals: page.withdrawals.map(({ id, requestedAt, status, amount, bank, account }) => ({
      id,
      requestedAt: instantText(requestedAt),
      status,
      amount: wonToJson(amount),
      bank,
      account,
    })),
  }
}

export const RevealAnswer = object(
  'RevealedPerson',
  {
    person: Type.Union([
      object('Person', {
        name: Type.String(),
        birthday: Type.String(),
        gender: Type.String(),
        mdn: Type.String(),
      }),
      Type.Null(),
    ]),
    hideAfterSeconds: Type.Integer({ description: 'The page hides it again by then.' }),
  },
  { description: 'Whole. Null after the erasure, and for a person whom only partners know.' },
)

export const FreezeAnswer = object('MemberFrozen', {
  memberId: Type.String(),
  sessionsEnded: Type.Integer(),
  withdrawalsHeld: Type.Integer(),
})

export const EndedAnswer = object('SessionsEnded', { ended: Type.Integer() })

export const DistrustAnswer = object('DevicesDistrusted', {
  devices: Type.Integer(),
  sessions: Type.Integer({ description: 'Sessions that ended with them.' }),
})
