import { BASE_PATH } from '../../kit/environment.ts'

export const PAGES_PATH = `${BASE_PATH}/console`
export const API_PATH = `${BASE_PATH}/console/api`
// A passkey belongs to the public address. Under another name of the same service, or on an IP address, there is none.
export const HAS_PASSKEYS = document.documentElement.dataset.passkeys === window.location.origin
