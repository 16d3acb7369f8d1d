import './untracked.ts'

// Later: what imports node:test has to come after the line above.
await import('./run-files.ts')
