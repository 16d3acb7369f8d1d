import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  publicDir: 'public',
  // A proxy may serve us under a path of its own: files find each other by where they are themselves.
  base: './',
  plugins: [tailwind()],
  build: {
    assetsDir: '',
    // A file that is inlined would be a data: address, which the pages' policy lets nobody load.
    assetsInlineLimit: 0,
    // The document is made by the service, which reads from this list what to load.
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    target: 'es2022',
    rolldownOptions: {
      input: 'member/main.tsx',
      output: {
        // One script before the first page is seen, rather than a few that wait for each other.
        codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] },
        // Every page is a page.tsx: its folder tells which.
        chunkFileNames: ({ facadeModuleId, name }) =>
          `${/(\w+)\/page\.tsx$/.exec(facadeModuleId ?? '')?.[1] ?? name}-[hash].js`,
      },
    },
  },
})
