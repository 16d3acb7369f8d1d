import Type from 'typebox'
import { refusals } from '#edge/http/error-answers.ts'
import type { ErrorCode } from '#edge/http/errors.ts'
import * as h from './history-schemas.ts'
import * as t from './trade-schemas.ts'

const ANY: ErrorCode[] = ['invalid_request', 'internal_error', 'service_unavailable']
const SIGNED_IN: ErrorCode[] = ['unauthorized', 'too_many_requests', ...ANY]
const BODY: ErrorCode[] = ['forbidden', 'request_too_large', 'unsupported_media_type', ...ANY]
const ACT: ErrorCode[] = [
  'forbidden',
  'account_frozen',
  'request_too_large',
  'unsupported_media_type',
  ...SIGNED_IN,
]
const CLOSED: ErrorCode[] = ['prices_stale', 'trading_stopped']

const CSV = {
  description: 'The statement, a line for each movement.',
  content: { 'text/csv': { schema: Type.String() } },
}

export const TRADE_ROUTES = {
  getPrices: {
    method: 'GET',
    url: '/prices',
    schema: {
      operationId: 'getPrices',
      summary: 'What gold and silver cost now',
      tags: ['Prices'],
      response: { 200: t.PricesAnswer, ...refusals(...ANY) },
    },
  },
  getPriceHistory: {
    method: 'GET',
    url: '/prices/:metal/history',
    schema: {
      operationId: 'getPriceHistory',
      summary: 'What a metal has cost',
      tags: ['Prices'],
      params: t.MetalParams,
      querystring: t.PeriodQuery,
      response: { 200: t.PriceHistoryAnswer, ...refusals(...ANY) },
    },
  },
  makeQuote: {
    method: 'POST',
    url: '/quotes',
    schema: {
      operationId: 'makeQuote',
      summary: 'A price that holds for a minute',
      tags: ['Trading'],
      body: t.QuoteBody,
      response: { 200: t.QuoteAnswer, ...refusals('amount_too_small', 'under_age', ...CLOSED, ...ACT) },
    },
  },
  placeOrder: {
    method: 'POST',
    url: '/orders',
    schema: {
      operationId: 'placeOrder',
      summary: 'Take a quote, once',
      tags: ['Trading'],
      body: t.OrderBody,
      response: {
        200: t.OrderAnswer,
        ...refusals(
          'step_up_required',
          'under_age',
          'not_found',
          'quote_expired',
          'insufficient_balance',
          ...CLOSED,
          ...ACT,
        ),
      },
    },
  },
  getAssets: {
    method: 'GET',
    url: '/assets',
    schema: {
      operationId: 'getAssets',
      summary: 'Everything that is held, and what it is worth',
      tags: ['Assets'],
      response: { 200: t.AssetsAnswer, ...refusals(...SIGNED_IN) },
    },
  },
  getHistory: {
    method: 'GET',
    url: '/history',
    schema: {
      operationId: 'getHistory',
      summary: 'Every movement, newest first',
      tags: ['Assets'],
      querystring: h.HistoryQuery,
      response: { 200: h.HistoryAnswer, ...refusals(...SIGNED_IN) },
    },
  },
  getActs: {
    method: 'GET',
    url: '/history/acts',
    schema: {
      operationId: 'getActs',
      summary: 'Every act, newest first',
      description: 'An order, a withdrawal or a registered card is one act, whatever it moved.',
      tags: ['Assets'],
      querystring: h.HistoryQuery,
      response: { 200: h.ActsAnswer, ...refusals(...SIGNED_IN) },
    },
  },
  getStatement: {
    method: 'GET',
    url: '/statement',
    schema: {
      operationId: 'getStatement',
      summary: 'A statement of some days',
      tags: ['Assets'],
      querystring: h.StatementQuery,
      response: { 200: h.StatementAnswer, ...refusals(...SIGNED_IN) },
    },
  },
  getStatementCsv: {
    method: 'GET',
    url: '/statement.csv',
    schema: {
      operationId: 'getStatementCsv',
      summary: 'The same as a file',
      tags: ['Assets'],
      querystring: h.StatementQuery,
      response: { 200: CSV, ...refusals(...SIGNED_IN) },
    },
  },
  listWithdrawals: {
    method: 'GET',
    url: '/withdrawals',
    schema: {
      operationId: 'listWithdrawals',
      summary: 'Won on their way to a bank, newest first',
      tags: ['Withdrawals'],
      response: { 200: t.WithdrawalsAnswer, ...refusals(...SIGNED_IN) },
    },
  },
  requestWithdrawal: {
    method: 'POST',
    url: '/withdrawals',
    schema: {
      operationId: 'requestWithdrawal',
      summary: 'Ask for deposit to be paid out',
      description:
        'Identity has to be verified in this session, ten minutes ago at most, and the account has to be in the ' +
        "member's own name. The same `requestId` again gets the same answer, however long ago identity was verified. " +
        'A first payout to an account, or one within a day of a new password or phone, waits 24 hours (`waitsUntil`). ' +
        'The member gets a text with a link that stops it.',
      tags: ['Withdrawals'],
      body: t.WithdrawalBody,
      response: {
        200: t.WithdrawalAnswer,
        ...refusals(
          'step_up_required',
          'account_holder_differs',
          'withdrawals_stopped',
          'insufficient_balance',
          'conflict',
          ...ACT,
        ),
      },
    },
  },
  cancelWithdrawal: {
    method: 'POST',
    url: '/withdrawals/:withdrawalId/cancel',
    schema: {
      operationId: 'cancelWithdrawal',
      summary: 'Take a withdrawal back that nobody has approved',
      tags: ['Withdrawals'],
      params: t.WithdrawalParams,
      response: { 200: t.WithdrawalAnswer, ...refusals('step_up_required', 'not_found', 'conflict', ...ACT) },
    },
  },
  checkStop: {
    method: 'POST',
    url: '/stop/check',
    schema: {
      operationId: 'checkStop',
      summary: 'See which withdrawal a code from a notice stops',
      description: 'Needs no session, and changes nothing.',
      tags: ['Withdrawals'],
      body: t.StopBody,
      response: { 200: t.StopAnswer, ...refusals('not_found', 'too_many_requests', ...BODY) },
    },
  },
  stopWithdrawal: {
    method: 'POST',
    url: '/stop',
    schema: {
      operationId: 'stopWithdrawal',
      summary: 'Stop a withdrawal with the code from its notice',
      description:
        'Needs no session. What is not paid yet goes back to the deposit, every session of the account ends, and nothing ' +
        'more is paid out until the account is recovered with a verified identity. Asked again, it answers the same.',
      tags: ['Withdrawals'],
      body: t.StopBody,
      response: { 200: t.StopAnswer, ...refusals('not_found', 'too_many_requests', ...BODY) },
    },
  },
} as const
