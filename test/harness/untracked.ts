import { createHook } from 'node:async_hooks'
import { registerHooks } from 'node:module'

// node:test follows every promise of its process to know which test is running, at a sixth of the CPU time of all tests. In
// a process that runs many files the test is known from its async context instead, which costs nothing
// (node-test.ts).
const OWN = new URL('node-test.ts', import.meta.url).href

const hooks: ReturnType<typeof createHook> = Object.getPrototypeOf(createHook({}))
const { enable } = hooks
hooks.enable = function (this: typeof hooks) {
  const isOfRunner = new Error().stack?.includes('node:internal/test_runner/harness')
  return isOfRunner ? this : enable.call(this)
}

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:test' && context.parentURL !== OWN
      ? { url: OWN, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
})
