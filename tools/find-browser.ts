import { findBrowser } from '#test/find-browser.ts'

// For .ci/run: prints a browser that starts here, as TEST_BROWSER names it, or says why there is none and fails.
const found = await findBrowser().catch((error: Error) => ({ missing: error.message }))
if ('missing' in found) {
  console.error(found.missing)
  process.exitCode = 1
} else {
  await found.browser.close()
  console.log(found.choice)
}
