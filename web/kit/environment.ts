// The service writes these facts about itself into the document (src/edge/site/shell). They are the same for every page.
const { base = '', sandbox, contact = '' } = document.documentElement.dataset

// A proxy may serve Ingot below a path of its own. Empty at the root of a host.
export const BASE_PATH = base
export const IS_SANDBOX = sandbox === 'true'
// How a person reaches the operator: a phone number or an address.
export const CONTACT = contact
