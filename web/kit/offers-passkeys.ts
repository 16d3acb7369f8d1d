// A passkey belongs to the public address. Under another name of the same service, or on an IP address, there is none.
export const HAS_PASSKEYS = document.documentElement.dataset.passkeys === window.location.origin

interface Policed {
  allowsFeature(feature: string): boolean
}

// Whether this browser can use (get) or make (create) a passkey here. A frame may be forbidden to, and many apps' web views
// have no passkeys at all.
export function offersPasskeys(act: 'get' | 'create'): boolean {
  if (!HAS_PASSKEYS || !window.isSecureContext || typeof window.PublicKeyCredential !== 'function')
    return false
  const { permissionsPolicy, featurePolicy } = document as {
    permissionsPolicy?: Policed
    featurePolicy?: Policed
  }
  const policy = permissionsPolicy ?? featurePolicy
  return policy?.allowsFeature(`publickey-credentials-${act}`) ?? window.top === window.self
}
