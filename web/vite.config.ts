import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import type { UserConfig } from 'vite'

// What the builds of all audiences share.
export default {
  root: fileURLToPath(new URL('.', import.meta.url)),
  publicDir: 'public',
  // A proxy may serve us under a path of its own: files find each other by where they are themselves.
  base: './',
  plugins: [tailwind()],
  build: {
    assetsDir: '',
    // A file that is inlined would be a data: address, which the pages' policy lets nobody load.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    rolldownOptions: {
      output: {
        // One script before the first page is seen, rather than a few that wait for each other.
        codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] },
        // Every page is a page.tsx: its folder tells which.
        chunkFileNames: ({ facadeModuleId, name }: { facadeModuleId?: string | null; name: string }) =>
          `${/([\w-]+)\/page\.tsx$/.exec(facadeModuleId ?? '')?.[1] ?? name}-[hash].js`,
      },
    },
  },
} satisfies UserConfig
