import { BASE_PATH } from '../../kit/environment.ts'

// The same pages run on the website and, under /webview, inside a partner's app.
const { mode = 'member' } = document.documentElement.dataset

export const IN_WEB_VIEW = mode === 'webview'

const pages = IN_WEB_VIEW ? `${BASE_PATH}/webview` : BASE_PATH
export const PAGES_PATH = pages === '' ? '/' : pages
// A web view's session cookie is valid below this path only, so its calls go there.
export const API_PATH = IN_WEB_VIEW ? `${BASE_PATH}/webview/member` : `${BASE_PATH}/member`
