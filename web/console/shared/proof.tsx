import { createContext, useContext } from 'react'

// Asks the person to prove identity again. True if they did; false if they gave up.
export const Proof = createContext<() => Promise<boolean>>(async () => false)

export const useProof = () => useContext(Proof)
