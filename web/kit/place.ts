// Where the document says we are. The service may be under a path of its own (a proxy), and the pages under /webview.
const { base = '', mode = 'member', sandbox, passkeys, contact = '' } = document.documentElement.dataset

export const SITE = base
export const IN_WEB_VIEW = mode === 'webview'
export const IS_SANDBOX = sandbox === 'true'
// Whom a person can ask.
export const CONTACT = contact
// Passkeys are of the public address: under another name of the same service there are none.
export const HAS_PASSKEYS = passkeys === window.location.origin

const pages = IN_WEB_VIEW ? `${base}/webview` : base
export const PAGES_PATH = pages === '' ? '/' : pages
// Its cookie counts under this path only.
export const API_PATH = IN_WEB_VIEW ? `${base}/webview/member` : `${base}/member`
