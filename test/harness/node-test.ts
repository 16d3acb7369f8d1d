import { AsyncLocalStorage } from 'node:async_hooks'
import { mock, test as nodeTest, type TestContext } from 'node:test'

// What `node:test` is in a process that runs many files (untracked.ts): tests and hooks belong to the file or the test that
// they are called in.
const current = new AsyncLocalStorage<TestContext>()

export const runningTest = () => current.getStore()?.fullName

type Body = (t: TestContext) => unknown

const within =
  (body: Body): Body =>
  (t) =>
    current.run(t, body, t)

// A file is a test without a parent.
function addTest(...words: readonly unknown[]): Promise<void> {
  const inContext = words.map((word) => (typeof word === 'function' ? within(word as Body) : word))
  const parent = current.getStore() ?? { test: nodeTest }
  return parent.test(...(inContext as Parameters<typeof nodeTest>))
}

export const after: TestContext['after'] = (...words) => current.getStore()!.after(...words)
export const beforeEach: TestContext['beforeEach'] = (...words) => current.getStore()!.beforeEach(...words)
export const test = Object.assign(addTest, { after })
export { mock }
